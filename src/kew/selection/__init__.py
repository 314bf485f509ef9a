"""Selection strings: gets, browses and subscriptions choose messages by their properties and descriptors."""
