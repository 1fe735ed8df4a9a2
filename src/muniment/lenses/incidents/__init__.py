"""An investigation as a ledger, and a few hints from earlier ones."""
