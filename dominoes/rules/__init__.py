"""The four rule systems: what is legal, what scores, who opens, who wins. Standard library only."""
