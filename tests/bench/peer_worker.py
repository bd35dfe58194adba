"""Runs one of the peers for tests/bench/peers.py: python3 peer_worker.py mujoco|exudyn. Reads one request a line from standard input,
{"vehicles": [...], "shape": ..., "step": ...}, and answers with one line: results of the vehicles, or {"error": text}. The first line
tells version and settings. What the peer itself prints goes to standard error."""
import importlib
import json
import os
import sys
import time


def answer(module, request):
    wall, busy = time.perf_counter(), time.process_time()
    runs = [module.measure(vehicle, request["shape"], request["step"]) for vehicle in request["vehicles"]]
    wall, busy = time.perf_counter() - wall, time.process_time() - busy
    return {"runs": runs, "busy": busy / wall}


def main():
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    try:
        module = importlib.import_module("peer_" + sys.argv[1])
    except ImportError as reason:
        print(json.dumps({"error": f"not installed: {reason}"}), file=replies)
        return
    print(json.dumps({"version": module.VERSION, "settings": module.SETTINGS}), file=replies)
    for line in sys.stdin:
        try:
            reply = answer(module, json.loads(line))
        except Exception as reason:  # whatever the peer raises is the answer
            reply = {"error": f"{type(reason).__name__}: {reason}".split("\n")[0]}
        print(json.dumps(reply), file=replies)


if __name__ == "__main__":
    main()
