"""The networks of the trained victims, and how they are fed."""
