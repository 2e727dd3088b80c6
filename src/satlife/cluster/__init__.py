"""Campaigns on many machines: a recorder and workers, with a broker between them."""
