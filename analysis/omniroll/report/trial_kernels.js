// The kernels as WebAssembly (host/lanes/wasm.c), and a run of them: columns in, samples out, in the run's own steps.

function numbersOf(base64) {
  return new Float64Array(bytesOf(base64).buffer);
}

async function kernelsOf(base64) {
  const packed = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(packed).arrayBuffer());
}

// The columns at a stop of each slider: those of the study, and what the groups of sliders change in them. null where a group's stop makes
// no vehicle; then `refusal` says why.
function columnsAt(data, stops) {
  const made = { params: numbersOf(data.params), state: numbersOf(data.state), spins: numbersOf(data.spins),
    settings: Int32Array.from(data.settings) };
  for (const group of data.groups) {
    const row = rowOf(data, group, stops);
    if (group.refused[row] !== undefined) return null;
    const values = numbersOf(group.rows[row]);
    group.params.forEach((column, k) => { made.params[column] = values[k]; });
    group.state.forEach((column, k) => { made.state[column] = values[group.params.length + k]; });
    if (!group.spins) continue;
    made.spins = values.slice(group.params.length + group.state.length);
    made.settings[data.places.max_rollers] = group.rollers[row];
  }
  return made;
}

function rowOf(data, group, stops) {
  return group.sliders.reduce((row, slider) => row * data.sliders[slider].stops.length + stops[slider], 0);
}

function refusal(data, stops) {
  for (const group of data.groups) {
    const reason = group.refused[rowOf(data, group, stops)];
    if (reason !== undefined) return reason;
  }
  return "";
}

const SPIN_BLOCK = 16; // values from one roller's spin to the next (kernels/layout.h)

// Memory of the module from its heap on, and the run of one vehicle in it.
function runOf(module, data, columns) {
  const own = new WebAssembly.Instance(module).exports, tables = numbersOf(data.tables);
  const spins = new Float64Array(columns.spins.length * SPIN_BLOCK);
  columns.spins.forEach((spin, k) => { spins[k * SPIN_BLOCK] = spin; });
  const wide = data.columns[0] + data.wheels * data.columns[1]; // samples
  let end = (own.__heap_base.value + 15) & ~15;
  const place = (bytes) => { const at = end; end = (end + bytes + 15) & ~15; return at; };
  const at = { params: place(8 * columns.params.length), state: place(8 * columns.state.length), spins: place(8 * spins.length),
    held: place(8 * columns.state.length), turning: place(8 * spins.length), tables: place(8 * tables.length),
    settings: place(4 * columns.settings.length), samples: place(8 * wide) };
  own.memory.grow(Math.max(Math.ceil((end - own.memory.buffer.byteLength) / 65536), 0));
  const view = (where, length) => new Float64Array(own.memory.buffer, where, length);
  view(at.params, columns.params.length).set(columns.params);
  view(at.tables, tables.length).set(tables);
  new Int32Array(own.memory.buffer, at.settings, columns.settings.length).set(columns.settings);
  const state = view(at.state, columns.state.length), turning = view(at.spins, spins.length);
  state.set(columns.state);
  turning.set(spins);
  const samples = view(at.samples, wide);
  const advance = (from, rollers, step, until) => own.advance(at.params, from, rollers, at.tables, at.settings, step, until);
  const run = { state: state, samples: samples, clock: 0, ended: () => state[data.places.status] !== 0 };
  // The clock counts steps, or seconds where an error estimate chooses the steps; where it is read in between changes no bit.
  run.advance = (until) => { advance(at.state, at.spins, data.step, until); run.clock = until; };
  run.sample = () => {
    let from = at.state;
    if (data.controlled) { // a copy of the motion goes on to the sample's instant
      view(at.held, state.length).set(state);
      view(at.turning, spins.length).set(turning);
      from = at.held;
      advance(from, at.turning, run.clock, run.clock);
    }
    own.sample(at.params, from, at.tables, at.settings, data.step, at.samples);
    return samples;
  };
  return run;
}

// The numbers of a quantity's samples in one: the words of the doubles as digits, modulo 2^32, to two bases. Zeros count as +0.
const BASES = [0x01000193, 0x5bd1e995];

function sumOf() {
  const sums = [0, 0], number = new Float64Array(1), words = new Int32Array(number.buffer);
  return { sums: sums, add: (value) => {
    number[0] = value + 0;
    for (let k = 0; k < 2; k++) for (let w = 0; w < 2; w++) sums[k] = (Math.imul(sums[k], BASES[k]) + words[w]) | 0;
  } };
}
