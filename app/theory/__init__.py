"""The six parts of the Theory page, each a view of plain data."""
