"""Who may do what: identities, channel rules, authority."""
