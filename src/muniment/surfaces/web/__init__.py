"""The web: the same verbs, words and values as every other door, on pages a server writes whole."""
