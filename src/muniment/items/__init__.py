"""Item versions and the passages they are cut into."""
