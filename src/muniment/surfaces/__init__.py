"""Doors onto the one application. Today the command line; each only parses, calls and prints."""
