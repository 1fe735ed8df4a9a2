"""HTTP: the same verbs, words and values as every other door."""
