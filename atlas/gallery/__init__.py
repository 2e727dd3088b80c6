"""The gallery of certified impossibilities, docs/gallery.md."""
