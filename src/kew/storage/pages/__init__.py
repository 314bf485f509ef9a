"""The data manager: page sets, space maps, directories and the items kept in them."""
