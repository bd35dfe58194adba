"""The figures of the source papers that the ready studies reproduce, drawn by one command: omniroll figures, or python3 -m
omniroll.papers, which finds them here.

    sources   the papers, and every figure that they have
    recipes   which studies each drawn figure needs
    findings  the numbers of each figure beside those of the paper
    results   runs the studies, or takes results that are there
    page      index.html
    command   the command
"""
