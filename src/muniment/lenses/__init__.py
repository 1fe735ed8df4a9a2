"""Lenses: purpose-built questions of the one record. They own no storage."""
