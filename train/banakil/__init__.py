"""Programs for Banakil only: the parameters of its player `expert`, and statistics of players' behaviour."""
