"""Bags of ROS by the library rosbags: rosbag2 folders, .mcap and .db3 files, and .bag files of ROS 1. No ROS is needed.

A field is one number of a message: of known types by the names of a vehicle's samples (x, y, yaw, vx, vy, yaw_rate), of joints as
JOINT.position, .velocity or .effort, and of any type by its path, such as "wheels[2].speed"."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
import pathlib
import re
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Sequence, Union

import numpy as np

from ..errors import Error, FileError, OutOfMemory, UsageError
from .log_series import MOST_ROWS, SECOND, Series

Fields = Union[None, Sequence[str], Mapping[str, str]]
Topics = Union[Sequence[str], Mapping[str, Fields]]

JOINTS = "sensor_msgs/msg/JointState"
TRANSFORMS = "tf2_msgs/msg/TFMessage"
POSES: dict[str, Callable[[Any], Any]] = {  # position and orientation
    "nav_msgs/msg/Odometry": lambda message: message.pose.pose,
    "geometry_msgs/msg/Pose": lambda message: message,
    "geometry_msgs/msg/PoseStamped": lambda message: message.pose,
    "geometry_msgs/msg/PoseWithCovarianceStamped": lambda message: message.pose.pose,
    "geometry_msgs/msg/TransformStamped": lambda message: message.transform,
    TRANSFORMS: lambda message: message.transform,
}
TWISTS: dict[str, Callable[[Any], Any]] = {  # linear and angular velocity, of the body
    "nav_msgs/msg/Odometry": lambda message: message.twist.twist,
    "geometry_msgs/msg/Twist": lambda message: message,
    "geometry_msgs/msg/TwistStamped": lambda message: message.twist,
    "geometry_msgs/msg/TwistWithCovarianceStamped": lambda message: message.twist.twist,
}
COMMANDS = ("geometry_msgs/msg/Twist", "geometry_msgs/msg/TwistStamped")  # hold until the next one
POSE_UNITS = {"x": "m", "y": "m", "yaw": "rad"}
TWIST_UNITS = {"vx": "m/s", "vy": "m/s", "yaw_rate": "rad/s"}
JOINT_UNITS = {"position": "rad", "velocity": "rad/s", "effort": "N m"}
MOST_BYTES = 16 << 20  # of a message
PATH = re.compile(r"[A-Za-z]\w*(\[\d+\])*(\.[A-Za-z]\w*(\[\d+\])*)*")
LISTED = 40  # names in a message


class Topic(NamedTuple):
    """A topic of a bag, or a column of a table. `fields`: the fields that read takes of it."""

    type: str
    messages: int
    fields: list[str]


def listed(names: Iterable[str]) -> str:
    """Names in a message."""
    all_of_them = sorted(str(name)[:80] for name in names)
    return (", ".join(all_of_them[:LISTED]) or "none") + (f" and {len(all_of_them) - LISTED} more" if len(all_of_them) > LISTED else "")


@contextlib.contextmanager
def opened(path: str) -> Iterator[Any]:
    """The bag as rosbags' AnyReader. Raises UsageError where that is not installed, and FileError where it is no bag or damaged."""
    try:
        from rosbags.highlevel import AnyReader
        from rosbags.typesys import Stores, get_typestore
    except ImportError as error:
        raise UsageError(f"{path}: bags are read by the library rosbags, which this Python does not have: pip install rosbags ({error})") from None
    if not os.path.exists(path):
        raise FileError(f"{path}: there is no such bag")
    try:
        with AnyReader([pathlib.Path(path)], default_typestore=get_typestore(Stores.ROS2_HUMBLE)) as reader:
            yield reader
    except Error:
        raise
    except MemoryError:
        raise OutOfMemory(f"{path}: there is not enough memory for what this bag says it has: it is damaged, or too large") from None
    except FileNotFoundError as error:
        raise FileError(f"{path}: is no bag: {error}. A folder of rosbag2 has metadata.yaml; of others name the .mcap or .db3 file itself") from None
    except Exception as error:  # noqa: BLE001  a damaged bag makes the library raise errors of any kind
        raise FileError(f"{path}: cannot be read as a bag: {type(error).__name__}: {str(error)[:300]}") from error


# ---- fields of messages


def members(value: Any) -> list[str]:
    """Names of a message's members."""
    names = [field.name for field in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else list(vars(value)) if hasattr(value, "__dict__") else []
    return [name for name in names if not name.startswith("_")]


def _yaw(rotation: Any, place: str) -> float:
    x, y, z, w = float(rotation.x), float(rotation.y), float(rotation.z), float(rotation.w)
    length = x * x + y * y + z * z + w * w
    if not abs(length - 1) < 0.1:  # nan, of a camera that sees nothing, is left out
        if math.isnan(length):
            return math.nan
        raise UsageError(f"{place}: the quaternion ({x:.6g}, {y:.6g}, {z:.6g}, {w:.6g}) is no rotation: was the orientation never set? Read x and y alone")
    return math.atan2(2 * (w * z + x * y), w * w + x * x - y * y - z * z)


class Field:
    """Takes one number of each message. `take` gives None where a message has nothing of it."""

    turn = 0.0

    def __init__(self, topic: str, kind: str, name: str) -> None:
        self.topic, self.kind, self.name, self.unit = topic, kind, name, ""
        self.joints: set[str] = set()
        self.take: Callable[[Any], float | None] = self._by_path
        joint, _, what = name.rpartition(".")
        if kind in POSES and name in POSE_UNITS:
            self.unit, self.take = POSE_UNITS[name], self._of_pose
            self.turn = 2 * math.pi if name == "yaw" else 0.0
        elif kind in TWISTS and name in TWIST_UNITS:
            self.unit, self.take = TWIST_UNITS[name], self._of_twist
        elif kind == JOINTS and joint and what in JOINT_UNITS:
            self.unit, self.take = JOINT_UNITS[what], self._of_joint
            self.joint, self.what = joint, what
        elif not PATH.fullmatch(name):
            raise UsageError(f"{topic}: {name!r} is no field of {kind}; {self.known()}")
        else:
            self.path = [part for part in re.split(r"[.\[\]]+", name) if part]

    def known(self) -> str:
        """The topics that there are, in words."""
        names = known_fields(self.kind)
        return f"it has {', '.join(names)}" if names else "a field of any message is named by its path, such as \"wheels[2].speed\""

    def _of_pose(self, message: Any) -> float:
        pose = POSES[self.kind](message)
        if self.name == "yaw":
            return _yaw(getattr(pose, "orientation", None) or pose.rotation, self.topic)
        position = getattr(pose, "position", None) or pose.translation
        return float(getattr(position, self.name))

    def _of_twist(self, message: Any) -> float:
        twist = TWISTS[self.kind](message)
        return float({"vx": twist.linear.x, "vy": twist.linear.y, "yaw_rate": twist.angular.z}[self.name])

    def _of_joint(self, message: Any) -> float | None:
        names, values = list(message.name), getattr(message, self.what)
        if len(self.joints) < 1000:
            self.joints.update(names)
        row = names.index(self.joint) if self.joint in names else len(values)
        return float(values[row]) if row < len(values) else None

    def _by_path(self, message: Any) -> float | None:
        value, so_far = message, ""
        for part in self.path:
            where = so_far or f"a message of {self.kind}"
            if part.isdigit():
                if not hasattr(value, "__len__") or isinstance(value, str) or int(part) >= len(value):
                    raise UsageError(f"{self.topic}: {self.name!r}: {where} has no element {part}; it has {len(value) if hasattr(value, '__len__') else 0}")
                value, so_far = value[int(part)], f"{so_far}[{part}]"
            elif part not in members(value):
                raise UsageError(f"{self.topic}: {self.name!r}: {where} has no field {part!r}; it has {listed(members(value))}"
                                 + (f". Of {self.kind} read takes {', '.join(known_fields(self.kind))} too" if known_fields(self.kind) and not so_far else ""))
            else:
                value, so_far = getattr(value, part), f"{so_far}.{part}" if so_far else part
        if not isinstance(value, (bool, int, float, np.number, np.bool_)):
            inside = f"; name one of its members: {listed(members(value))}" if members(value) else ""
            raise UsageError(f"{self.topic}: {self.name!r} is {type(value).__name__.split('__')[-1]} and no number{inside}")
        return float(value)

    def missing(self) -> str:
        """Why there is nothing of it, in words."""
        if self.kind != JOINTS or self.take != self._of_joint:
            return "no message has it"
        if self.joint in self.joints:
            return f"no message has the {self.what} of the joint {self.joint!r}; take another of {', '.join(JOINT_UNITS)}"
        return f"there is no joint {self.joint!r}; there are: {listed(self.joints)}"


def known_fields(kind: str) -> list[str]:
    """The fields of a known type of message; empty for others. Joints stand for their names."""
    if kind == JOINTS:
        return [f"JOINT.{what}" for what in JOINT_UNITS]
    return [*(POSE_UNITS if kind in POSES else ()), *(TWIST_UNITS if kind in TWISTS else ())]


# ---- topics


def wanted(topics: Topics) -> dict[str, Fields]:
    """{topic: fields} of a caller's topics."""
    if isinstance(topics, str):
        topics = [topics]
    if not isinstance(topics, Mapping):
        topics = {topic: None for topic in topics}
    if not topics:
        raise UsageError("topics names none; omniroll.logs.contents(path) lists those of a bag")
    return {topic: [fields] if isinstance(fields, str) else fields for topic, fields in topics.items()}


def _child(topic: str) -> tuple[str, str | None]:
    """"/tf:base_link": the transforms of one frame. Names of topics have no colon."""
    name, colon, child = topic.partition(":")
    return name, child if colon else None


def _connections(reader: Any, topic: str, path: str) -> tuple[list[Any], str]:
    found = [one for one in reader.connections if one.topic == topic]
    if not found:
        raise UsageError(f"{path}: there is no topic {topic!r}; there are: {listed({one.topic for one in reader.connections})}")
    kinds = {one.msgtype for one in found}
    if len(kinds) > 1:
        raise UsageError(f"{path}: {topic} has messages of {' and '.join(sorted(kinds))}; a topic is of one type")
    return found, kinds.pop()


def _messages(reader: Any, connections: list[Any], path: str, span: tuple[int | None, int | None]) -> Iterator[tuple[int, Any]]:
    """Times of receipt and messages."""
    count = 0
    for connection, received, raw in reader.messages(connections=connections, start=span[0], stop=span[1]):
        if len(raw) > MOST_BYTES:
            raise UsageError(f"{path}: {connection.topic} has a message of {len(raw) / (1 << 20):.0f} MB, which is no motion of a robot")
        if (count := count + 1) > MOST_ROWS:
            raise UsageError(f"{path}: {connection.topic} has more than {MOST_ROWS} messages, and a table as many rows at most; read a part, with start and end in s")
        yield int(received), reader.deserialize(raw, connection.msgtype)


def _of_child(messages: Iterator[tuple[int, Any]], kind: str, child: str | None, topic: str) -> Iterator[tuple[int, Any]]:
    """Of transforms those that lead to one frame."""
    if kind not in (TRANSFORMS, "geometry_msgs/msg/TransformStamped"):
        if child is not None:
            raise UsageError(f"{topic}: a frame after a colon is of transforms, and this topic is of {kind}")
        yield from messages
        return
    seen: set[str] = set()
    taken = 0
    for received, message in messages:
        for transform in message.transforms if kind == TRANSFORMS else [message]:
            if len(seen) < 1000:
                seen.add(transform.child_frame_id)
            if child is None and len(seen) > 1:
                raise UsageError(f"{topic}: has transforms to several frames; name one after a colon, such as \"{topic}:{sorted(seen)[0]}\"; "
                                 f"there are: {listed(seen)} and perhaps more")
            if child in (None, transform.child_frame_id):
                taken += 1
                yield received, transform
    if seen and not taken:
        raise UsageError(f"{topic}: there is no transform to a frame {child!r}; there are: {listed(seen)}")


def _stamp(message: Any) -> int:
    """ns of the header; 0 where there is none."""
    stamp = getattr(getattr(message, "header", None), "stamp", None)
    return 0 if stamp is None else int(stamp.sec) * SECOND + int(stamp.nanosec)


def _names(fields: Fields, kind: str, topic: str, first: Any) -> dict[str, str]:
    """{column: field}."""
    if isinstance(fields, Mapping):
        return dict(fields)
    if fields is None:
        fields = [name for name in fields_of(kind, first) if not name.endswith(".effort")]
        if not fields:
            raise UsageError(f"{topic}: nothing is known of messages of {kind}; name their fields, such as topics={{\"{topic}\": {{\"w1\": \"wheels[0].speed\"}}}}; "
                             f"such a message has {listed(members(first))}. Types with names of their own: {listed({JOINTS, *POSES, *TWISTS})}")
    return {name.replace("[", ".").replace("]", ""): name for name in fields}


def fields_of(kind: str, first: Any) -> list[str]:
    """The fields of a known type, joints by their names."""
    if kind != JOINTS:
        return known_fields(kind)
    return [f"{joint}.{what}" for what in JOINT_UNITS for joint, _ in zip(first.name, getattr(first, what))]


def _clock(stamps: list[int], topic: str, wish: str) -> bool:
    """Whether times come from the headers."""
    without = stamps.count(0)
    if wish == "received" or without == len(stamps):
        return False
    if without:
        raise UsageError(f"{topic}: {without} of {len(stamps)} messages have no stamp in their header; stamps=\"received\" takes the times of receipt")
    return True


def topic_series(reader: Any, path: str, topic: str, fields: Fields, stamps: str, span: tuple[int | None, int | None]) -> list[Series]:
    """The wanted series of a topic. `reader` is open, and has the members of AnyReader: connections, messages, deserialize."""
    name, child = _child(topic)
    connections, kind = _connections(reader, name, path)
    takers: dict[str, Field] = {}
    rows: dict[str, tuple[list[int], list[float]]] = {}  # of each column: numbers of messages, values
    received: list[int] = []
    headers: list[int] = []
    for time, message in _of_child(_messages(reader, connections, path, span), kind, child, name):
        if not received:
            takers = {column: Field(topic, kind, field) for column, field in _names(fields, kind, topic, message).items()}
            rows = {column: ([], []) for column in takers}
        for column, field in takers.items():
            value = field.take(message)
            if value is not None:
                rows[column][0].append(len(received))
                rows[column][1].append(value)
        received.append(time)
        headers.append(_stamp(message))
    if not received:
        raise UsageError(f"{path}: {topic} has no message{'' if span == (None, None) else ' between start and end'}")
    for column, field in takers.items():
        if not rows[column][0]:
            raise UsageError(f"{path}: {topic}: {field.name!r}: {field.missing()}")
    by_header = _clock(headers, topic, stamps)
    times = np.array(headers if by_header else received, dtype=np.int64)
    clock = "stamps of headers" if by_header else "times of receipt"
    return [Series(column, field.unit, topic, times[rows[column][0]], np.array(rows[column][1]), clock, kind in COMMANDS, field.turn)
            for column, field in takers.items()]


def bag_series(path: str, topics: Topics, stamps: str = "header", start: float | None = None, end: float | None = None) -> list[Series]:
    """The wanted series of a bag. stamps: "header", where messages have one, or "received". start, end: s of receipt, from the bag's
    first message on. Raises UsageError, FileError."""
    if stamps not in ("header", "received"):
        raise UsageError(f"stamps is \"header\" or \"received\", not {stamps!r}")
    asked = wanted(topics)
    with opened(path) as reader:
        zero = int(reader.start_time)
        span = tuple(None if time is None else zero + int(round(time * SECOND)) for time in (start, end))
        return [series for topic, fields in asked.items() for series in topic_series(reader, path, topic, fields, stamps, (span[0], span[1]))]


def bag_contents(path: str) -> dict[str, Topic]:
    """Topics of a bag, with the fields that read takes of each."""
    found: dict[str, Topic] = {}
    with opened(path) as reader:
        for name in sorted({one.topic for one in reader.connections}):
            connections = [one for one in reader.connections if one.topic == name]
            kind = connections[0].msgtype
            fields = known_fields(kind)
            if kind == JOINTS:
                first = next(_messages(reader, connections, path, (None, None)), None)
                fields = [] if first is None else fields_of(kind, first[1])
            found[name] = Topic(kind, sum(one.msgcount for one in connections), fields)
    return found
