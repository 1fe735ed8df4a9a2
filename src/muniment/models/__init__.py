"""Embedders behind one-method protocols, with a scripted double. What a model gives is checked here, once."""
