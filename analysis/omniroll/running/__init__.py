"""Studies before, while and after they run through libomniroll; the functions for users stand in omniroll itself."""
