"""Which design is better: truth of criteria, designs with their draws, differences with their intervals."""
