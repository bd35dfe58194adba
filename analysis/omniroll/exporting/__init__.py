"""Vehicles of studies as models for other simulators.

    model = omniroll.export_model("studies/first.json", "robot.xml")
    print(model.omitted)          # the parts of the study that the file does not have"""

from .model import ExportedModel, export_model

__all__ = ["ExportedModel", "export_model"]
