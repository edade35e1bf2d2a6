"""Programs about Banakil alone: the numbers of its player `expert`, and what players of it do."""
