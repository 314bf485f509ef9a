"""Selection strings: which messages a get, a browse or a subscription wants, by their properties and descriptors."""
