# Reads the histogram of step_instructions, then `objdump -d --no-show-raw-insn` of the same program, and prints the table.

# What an instruction is for: its class. Of class "repeat" (rep movs, rep stos) every word moved is one, as the trap flag and callgrind
# count them.
function class_of(name, operands) {
  if (name ~ /^v?(fmadd|fmsub|fnmadd|fnmsub)/ || name ~ /^vfn?m(add|sub)/ || name ~ /^fn?m(add|sub|la|ls)$/) return "fma"
  if (name ~ /^v?mul[sp][sd]/) return "mul"
  if (name ~ /^v?(add|sub)[sp][sd]/) return "add"
  if (name ~ /^v?div[sp][sd]/) return "div"
  if (name ~ /^v?sqrt[sp][sd]/) return "sqrt"
  if (name ~ /^v?(min|max)[sp][sd]/) return "minmax"
  if (name ~ /^v?(cmp|u?comi)[a-z_]*[sp][sd]/) return "compare"
  if (name ~ /^v?p?(blend|test[mn])/ || name ~ /^k/ || name ~ /^v?movmsk/) return "mask"
  if (name ~ /^v?p?broadcast/ || name ~ /^v?movddup/) return "broadcast"
  if (name ~ /^v?mov[adghlnpqsu]/ && operands ~ /mm/) {
    if (operands ~ /\{%k[0-7]\}/ && operands !~ /\(/) return "mask"
    if (operands ~ /\)([{].*[}])*$/) return "store"
    if (operands ~ /\(/) return "load"
    return "move"
  }
  if (operands ~ /%[xyz]mm/) return "vector, other"
  if (name ~ /^j/ || name ~ /^(call|ret)/) return "jump"
  return "scalar"
}

# Values that a floating-point instruction works on.
function width_of(name, operands) {
  if (name ~ /s[ds]$/) return 1
  return (operands ~ /zmm/ ? 8 : operands ~ /ymm/ ? 4 : 2) * (name ~ /ps$/ ? 2 : 1)
}

FNR == NR {
  if ($1 == "#" && $2 == "counted") {
    for (i = 3; i < NF; i += 2) counted[$i] = $(i + 1)
  } else if ($1 == "#") {
    fact[$2] = $3
  } else {
    executed[$1] = $2
    remaining += $2
  }
  next
}

/^ *[0-9a-f]+:\t/ {
  address = $1
  sub(/:$/, "", address)
  if (!(address in executed)) next
  name = $2
  repeated = name ~ /^rep/
  first = 3
  while (name ~ /^(rep|repz|repnz|lock|bnd|notrack|data16|cs|ds|nopw)$/ && first <= NF && name != "nopw") name = $(first++)
  operands = ""
  for (i = first; i <= NF && $i !~ /^[#<]/; i++) operands = operands $i
  kind = repeated ? "repeat" : class_of(name, operands)
  n = executed[address]
  count[kind] += n
  all += n
  remaining -= n
  if (kind ~ /^(fma|mul|add|div|sqrt)$/) operations += n * width_of(name, operands) * (kind == "fma" ? 2 : 1)
  if (kind ~ /^(fma|mul|add|div|sqrt|minmax|compare|mask|broadcast|vector, other)$/ && operands ~ /\(/) folded += n
}

END {
  steps = fact["pack_steps"]
  lanes = fact["instance_steps"] / steps
  if (!steps || !all) {
    print "nothing was executed" > "/dev/stderr"
    exit 1
  }
  all += fact["outside"] + remaining
  printf "%-15s %12s %16s %12s\n", "instructions", "per pack", "per instance", "counted"
  order = "fma mul add div sqrt minmax compare mask broadcast load store move vector,_other scalar jump repeat"
  n = split(order, kinds, " ")
  for (i = 1; i <= n; i++) {
    kind = kinds[i]
    sub(/_/, " ", kind)
    printf "%-15s %12.1f %16.1f %12s\n", kind, count[kind] / steps, count[kind] / steps / lanes,
           kind == "mask" ? counted["select"] : counted[kind]
  }
  printf "%-15s %12.1f %16.1f\n", "in libraries", fact["outside"] / steps, fact["outside"] / steps / lanes
  printf "%-15s %12.1f %16.1f\n", "all", all / steps, all / steps / lanes
  printf "%-15s %12.1f %16.1f\n", "with memory", folded / steps, folded / steps / lanes
  executed_operations = operations / steps / fact["lanes"]
  printf "operations per step: executed per lane %.1f", executed_operations
  if (fact["useful"]) {
    printf ", counted %.1f (%+.2f %%)\n", fact["useful"], 100 * (executed_operations / fact["useful"] - 1)
    printf "instructions per counted operation: %.3f\n", all / steps / lanes / fact["useful"]
    if (tolerance && (executed_operations / fact["useful"] - 1) ^ 2 > tolerance ^ 2) exit 1
  } else {
    print ", not counted in this build"
  }
}
