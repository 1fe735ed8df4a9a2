"""The record in the forms that other libraries expect; none of those is needed to import it."""
