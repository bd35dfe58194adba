"""The commands of tutorials and galleries; those of all other pages: test_documentation.py."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_documentation  # noqa: E402


class Tutorials(test_documentation.Pages):
    pass


for _page in filter(test_documentation.is_tutorial, test_documentation.PAGES):
    test_documentation.add_page(Tutorials, _page)

if __name__ == "__main__":
    unittest.main()
