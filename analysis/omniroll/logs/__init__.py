"""Logs of robots as tables: bags of ROS, Parquet and CSV files, written as the CSV files that a study's section "data" names, and the study itself.

    log = omniroll.logs.read("drive_1", {"/mocap/pose": ["x", "y", "yaw"], "/joint_states": {"w1": "wheel_1.velocity", "w2": "wheel_2.velocity"}})
    log.write_csv("drive_1.csv")
    study = omniroll.logs.to_study("robot.json", [log], measured={"x": "3 mm", "y": "3 mm", "yaw": "0.3 deg"}, rates=["w1", "w2"], vary=[...])

A section "data" names one file for each run, and the file has one time for all columns of a row. So topics that come at rates of their own are
put on the times of one of them (log_series.py). Bags need the library rosbags, Parquet files pyarrow; neither is needed by the package else, nor for CSV."""

from .log_bag import Topic
from .robot_log import Log, contents, read, to_study

__all__ = ["Log", "Topic", "contents", "read", "to_study"]
