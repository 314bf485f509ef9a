"""MQSC: the command language, from text to commands and from replies to text."""
