"""What connectors over HTTP share: tolerant reading, signatures, one way to ask, versions made of times."""
