"""What the pages show, as functions of plain data. Imports core; core never imports it."""
