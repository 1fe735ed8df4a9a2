"""MCP: the record as tools that an agent's host knows how to call."""
