"""PostgreSQL as the only place of storage: embedded server, pool, named queries, migrations. No policy."""
