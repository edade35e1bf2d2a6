"""Every game in one layout: observations as cards, and actions as descriptions."""
