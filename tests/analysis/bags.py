"""Bags for tests. Messages are SimpleNamespaces of plain values; where rosbags is installed they are written as bags and read back by it, and
where it is not a reader stands in that has what is used of rosbags.highlevel.AnyReader, as its documentation describes it."""
from __future__ import annotations

import contextlib
import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace as Message
from typing import Any
from unittest import mock

import numpy as np

try:
    import rosbags.highlevel  # noqa: F401
    HAVE = True
except ImportError:
    HAVE = False

SECOND = 10**9
EPOCH = 1_700_000_000 * SECOND
Row = tuple[str, str, int, Message]  # topic, type, time of receipt, message


def header(time: int) -> Message:
    return Message(stamp=Message(sec=time // SECOND, nanosec=time % SECOND), frame_id="map")


def vector(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Message:
    return Message(x=x, y=y, z=z)


def turned(yaw: float) -> Message:
    return Message(x=0.0, y=0.0, z=float(np.sin(yaw / 2)), w=float(np.cos(yaw / 2)))


def pose(x: float, y: float, yaw: float) -> Message:
    return Message(position=vector(x, y), orientation=turned(yaw))


def twist(vx: float, vy: float, rate: float) -> Message:
    return Message(linear=vector(vx, vy), angular=vector(z=rate))


def pose_stamped(time: int, x: float, y: float, yaw: float) -> Message:
    return Message(header=header(time), pose=pose(x, y, yaw))


def transform(time: int, child: str, x: float, y: float, yaw: float) -> Message:
    return Message(header=header(time), child_frame_id=child, transform=Message(translation=vector(x, y), rotation=turned(yaw)))


def joints(time: int, **rates: float) -> Message:
    """Rates of joints; their positions are the rates tenfold, and there is no effort."""
    return Message(header=header(time), name=list(rates), position=[10 * rate for rate in rates.values()], velocity=list(rates.values()), effort=[])


class StandIn:
    """What is used of AnyReader."""

    bags: dict[str, list[Row]] = {}

    def __init__(self, paths: list[Path], default_typestore: Any = None) -> None:
        self.rows = self.bags[str(paths[0])]

    def __enter__(self) -> StandIn:
        topics = dict.fromkeys((topic, kind) for topic, kind, _, _ in self.rows)
        self.connections = [Message(topic=topic, msgtype=kind, msgcount=sum(row[0] == topic for row in self.rows)) for topic, kind in topics]
        self.start_time = min(row[2] for row in self.rows)
        return self

    def __exit__(self, *ignored: Any) -> None:
        pass

    def messages(self, connections: list[Message], start: int | None = None, stop: int | None = None) -> Iterator[tuple[Message, int, bytes]]:
        found = {connection.topic: connection for connection in connections}
        for number, (topic, _, time, _) in enumerate(self.rows):
            if topic in found and (start is None or time >= start) and (stop is None or time < stop):
                yield found[topic], time, str(number).encode()

    def deserialize(self, raw: bytes, kind: str) -> Message:
        return self.rows[int(raw)][3]


@contextlib.contextmanager
def stand_in() -> Iterator[None]:
    """Has rosbags read what `write` was told."""
    modules = {name: types.ModuleType(name) for name in ("rosbags", "rosbags.highlevel", "rosbags.typesys")}
    modules["rosbags.highlevel"].AnyReader = StandIn
    modules["rosbags.typesys"].Stores = Message(ROS2_HUMBLE="")
    modules["rosbags.typesys"].get_typestore = lambda store: None
    with mock.patch.dict(sys.modules, modules):
        yield


def _made(store: Any, kind: str, message: Message) -> Any:
    """The message of rosbags with what ours has."""
    given: dict[str, Any] = {}
    for name, (what, about) in store.fielddefs[kind][1]:
        value = getattr(message, name)
        if int(what) == 2:
            given[name] = _made(store, about, value)
        elif int(what) in (3, 4) and int(about[0][0]) == 2:
            given[name] = [_made(store, about[0][1], one) for one in value]
        elif int(what) in (3, 4) and about[0][1][0] != "string":
            given[name] = np.array(value, dtype=about[0][1][0])
        else:
            given[name] = value
    return store.types[kind](**given)


def write(path: str, rows: list[Row], storage: str) -> str:
    """A bag, and the path that is read. storage: "stand-in", "mcap" (the file alone) or "sqlite3" (the folder)."""
    rows = sorted(rows, key=lambda row: row[2])
    if storage == "stand-in":
        path = f"{path}.mcap"
        with open(path, "w", encoding="utf-8"):
            StandIn.bags[path] = rows
        return path
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore
    store = get_typestore(Stores.ROS2_HUMBLE)
    with Writer(Path(path), version=9, storage_plugin=StoragePlugin[storage.upper()]) as writer:
        connections = {topic: writer.add_connection(topic, kind, typestore=store) for topic, kind in dict.fromkeys((row[0], row[1]) for row in rows)}
        for topic, kind, time, message in rows:
            writer.write(connections[topic], time, store.serialize_cdr(_made(store, kind, message), kind))
    return os.path.join(path, f"{os.path.basename(path)}.mcap") if storage == "mcap" else path
