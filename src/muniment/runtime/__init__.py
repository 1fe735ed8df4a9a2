"""A task done for a person by a language model that proposes, and rules that decide."""
