"""Programs for Banakil only: tuning its player `expert`, and statistics of players' behavior."""
