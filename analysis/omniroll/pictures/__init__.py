"""Pictures (SVG) of a study before it runs: the vehicle, the block on its plane, the graph of a multibody system."""
