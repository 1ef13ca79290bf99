"""The web server around the pages: python -m app.server."""
