"""The record over HTTP."""
