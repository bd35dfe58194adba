"""A result as one HTML file that needs nothing else: python3 -m omniroll.report result.h5, or omniroll report result.h5

build.py puts the page together from sections; each module of sections has a function sections(data) that yields those that the result
has something for. page.py makes HTML, svg.py pictures of matplotlib's figures that follow the colours of the page."""

from .build import report

__all__ = ["report"]
