"""Choices among designs whose friction, load and other surroundings are uncertain: candidates are evaluated by samples, the best is searched.

>>> found = problem.minimize(budget=1e6, journal="search.jsonl")
>>> print(found)
>>> found.best.variables, found.best.values, [one.variables for one in found.finalists if one.tied]

A Problem has variables, goals and limits. Problem.from_function makes one of a model in Python. The search needs the library cmaes; those who have
a search of their own find adapters for scipy, pymoo, pycma and Optuna in omniroll.optimising.adapters."""

from .evaluator import Differences, Evaluation, Evaluator, Goal, Limit, Variable
from .found_file import Found, open_optimum
from .optimum import Candidate, Optimum
from .problem import Problem
from .study_problem import StudyProblem

__all__ = ["Candidate", "Differences", "Evaluation", "Evaluator", "Found", "Goal", "Limit", "Optimum", "Problem", "StudyProblem", "Variable", "open_optimum"]
