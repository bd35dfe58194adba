"""Instructions of the time loop in a listing of NVIDIA's code (nvdisasm -c): those of the shortest way round it, a pass in which no roller
is exchanged and no division needs its slow way."""
import re

CLASSES = {
    "double": ("DFMA", "DMUL", "DADD", "DSETP", "DMNMX"), "single": ("FFMA", "FMUL", "FADD", "FSETP", "FMNMX"),
    "mufu": ("MUFU",), "local_load": ("LDL",), "local_store": ("STL",), "global_load": ("LDG", "LD"), "global_store": ("STG", "ST"),
    "constant_load": ("LDC", "ULDC"), "call": ("CALL",), "branch": ("BRA", "BSSY", "BSYNC", "WARPSYNC", "RET"),
    "move": ("MOV", "IMAD.MOV.U32", "IMAD.MOV", "SEL", "FSEL", "UMOV", "CS2R")}


class Instruction:
    def __init__(self, predicate, opcode, operands, comment):
        self.predicate, self.opcode, self.operands, self.meets = predicate, opcode, operands, None
        self.targets = re.findall(r"\.L_x_\d+", operands if opcode.startswith("BRA") else comment if opcode.startswith("BRX") else "")
        jumps = opcode.split(".")[0] in ("BRA", "BRX", "EXIT", "RET")
        self.falls_through = not jumps or bool(predicate) or bool(re.match(r"\s*!?U?P\d", operands))


def code_of(listing, kernel):
    """Basic blocks of a kernel, as lists of instructions, and the numbers of the blocks that follow each."""
    section = listing.split(f".section\t.text.{kernel},", 1)[1].split(".section\t", 1)[0]
    blocks, labels = [[]], {}
    for line in section.splitlines():
        label = re.match(r"\s*(\.L_x_\d+|[$.]?\w[\w$]*):", line)
        if label:
            if blocks[-1]:
                blocks.append([])
            labels[label.group(1)] = len(blocks) - 1
        found = re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(@!?U?P\w+\s+)?([A-Z0-9_.]+)\s*([^;]*);(.*)", line)
        if found:
            blocks[-1].append(Instruction(*found.groups()))
            if blocks[-1][-1].targets or blocks[-1][-1].opcode.startswith("BSYNC") or not blocks[-1][-1].falls_through:
                blocks.append([])
    return blocks, flow_of(blocks, labels)


def flow_of(blocks, labels):
    """The blocks that follow each. Where threads meet (BSYNC), they go on at the label that the BSSY of the same barrier named: mostly
    the next instruction, or else that of the last one before."""
    follows, meeting = [], {}
    for block in blocks:
        for instruction in block:
            if instruction.opcode.startswith("BSSY"):
                barrier, label = re.match(r"(B\d+), `\((\.L_x_\d+)\)", instruction.operands).groups()
                instruction.meets = (barrier, labels[label])
                meeting.setdefault(barrier, set()).add(labels[label])
    last = {}
    for i, block in enumerate(blocks):
        last.update(instruction.meets for instruction in block if instruction.meets)
        falls = not block or block[-1].falls_through
        after = {i + 1} if falls and i + 1 < len(blocks) else set()
        if block and block[-1].opcode.startswith("BSYNC"):
            barrier = block[-1].operands.strip()
            if i + 1 not in meeting.get(barrier, ()) and barrier in last:
                after = {last[barrier]} | (after if block[-1].predicate else set())
        follows.append(after | {labels[t] for t in (block[-1].targets if block else [])})
    return follows


def reachable(follows, start, barred=None):
    seen, todo = set(), [start] if start != barred else []
    while todo:
        at = todo.pop()
        if at not in seen:
            seen.add(at)
            todo += [n for n in follows[at] if n != barred]
    return seen


def loops_of(follows):
    """Natural loops by their header: {header: (blocks, latches)}."""
    alive, before = reachable(follows, 0), {}
    for i in alive:
        for n in follows[i]:
            before.setdefault(n, []).append(i)
    loops = {}
    for header in alive:
        dominated = alive - reachable(follows, 0, header)
        latches = [i for i in before.get(header, []) if i in dominated]
        if latches:
            body, todo = {header}, list(latches)
            while todo:
                at = todo.pop()
                if at not in body:
                    body.add(at)
                    todo += before.get(at, [])
            loops[header] = (body, latches)
    return loops


def shortest(blocks, follows, body, start, ends, barred=()):
    """Blocks of the path of fewest instructions from start to the first of `ends`, inside a loop."""
    best, todo = {start: (len(blocks[start]), [start])}, {start}
    while todo:
        at = min(todo, key=lambda i: best[i][0])
        todo.discard(at)
        if at in ends:
            return best[at][1]
        for n in follows[at]:
            length = best[at][0] + len(blocks[n])
            if n in body and n not in barred and (n not in best or length < best[n][0]):
                best[n] = (length, best[at][1] + [n])
                todo.add(n)
    return []


def count(blocks, path):
    counts = dict.fromkeys(("all", *CLASSES), 0)
    for i in path:
        for instruction in blocks[i]:
            counts["all"] += 1
            for name, members in CLASSES.items():
                if instruction.opcode.split(".")[0] in members or instruction.opcode in members:
                    counts[name] += 1
    return counts


def arithmetic(blocks, path):
    counts = count(blocks, path)
    return counts["double"] + counts["single"]


def pass_counts(listing, kernel, stages):
    """Instructions of a pass in which nothing special happens, the shortest way round the time loop, with its stage loop (where the
    compiler left one) run as often as the method has stages."""
    blocks, follows = code_of(listing, kernel)
    loops = loops_of(follows)
    if not loops:
        return {}
    step = max(loops, key=lambda header: arithmetic(blocks, loops[header][0]))
    body, latches = loops[step]
    inner = {h: arithmetic(blocks, l[0]) for h, l in loops.items() if h != step and h in body and l[0] < body}
    cold = {i for i in body if any(instruction.opcode.startswith("CALL") for instruction in blocks[i])}
    stage = max(inner, key=inner.get, default=None)
    if stage is not None and inner[stage] < 0.2 * arithmetic(blocks, body):
        stage = None
    if stage is None:
        path = shortest(blocks, follows, body, step, latches, cold)
        if not path:
            return {}
        counts = count(blocks, path)
    else:
        once = count(blocks, shortest(blocks, follows, loops[stage][0], stage, loops[stage][1], cold))
        around = shortest(blocks, follows, body, step, [stage], cold)[:-1] + shortest(blocks, follows, body, stage, latches, cold)
        whole = count(blocks, around)
        counts = {name: whole[name] + (stages - 1) * once[name] for name in whole}
    counts["code"] = sum(len(block) for block in blocks)
    return {"pass_" + name: value for name, value in counts.items()}
