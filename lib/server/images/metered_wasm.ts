import { WasmReader } from "./wasm_reader.ts";

/** What a module may use. */
export interface Allowance {
  /** Exported functions that nothing inside calls: each call of one may take {@link steps} anew. */
  calls: readonly string[];
  /** Turns of loops and calls of functions, all counted together; below 2 ** 31. */
  steps: number;
  /** The most memory, in pages of 64 KiB. */
  pages: number;
}

/** Sections by their ids. */
const section = { memory: 5, global: 6, export: 7, code: 10 };
const preamble = 8;

/**
 * Rewrites a WebAssembly module so that it counts its own steps and traps when they are used up,
 * and cannot take more memory than it is allowed. A thread that computes can't be stopped from
 * outside: Deno's `terminate()` waits for it. This is how a drawing made to take hours is stopped.
 *
 * The module must have one memory and one or more globals of its own and import no globals, as
 * those that Rust's wasm-bindgen makes.
 *
 * @throws RangeError for a module that is not so
 */
export function meterWasm(module: Uint8Array, allowance: Allowance): Uint8Array<ArrayBuffer> {
  const sections = readSections(module);
  const contentOf = (id: number) => {
    const found = sections.find((each) => each.id === id);
    if (found) return found.content;
    throw new RangeError(`Cannot meter the module: it has no section ${id}`);
  };
  const counter = new WasmReader(contentOf(section.global)).unsigned();
  const budgeted = exportedFunctions(contentOf(section.export), allowance.calls);
  const imported = sections.find(({ id }) => id === 2);
  const firstOwn = imported ? countImports(imported.content) : 0;
  const metered = sections.map(({ id, content }) => {
    if (id === section.memory) return { id, content: limitMemory(content, allowance.pages) };
    if (id === section.global) return { id, content: addCounter(content, allowance.steps) };
    if (id !== section.code) return { id, content };
    const refills = new Set(budgeted.map((index) => index - firstOwn));
    return { id, content: meterCode(content, { counter, refills, steps: allowance.steps }) };
  });
  return concat([
    module.subarray(0, preamble),
    ...metered.flatMap(({ id, content }) => [[id], unsigned(content.length), content]),
  ]);
}

function readSections(module: Uint8Array): { id: number; content: Uint8Array }[] {
  const reader = new WasmReader(module, preamble);
  const sections = [];
  while (!reader.isAtEnd) {
    sections.push({ id: reader.byte(), content: reader.take(reader.unsigned()) });
  }
  return sections;
}

/** Indices of exported functions; they count from the first imported one. */
function exportedFunctions(content: Uint8Array, wanted: readonly string[]): number[] {
  const reader = new WasmReader(content);
  const decoder = new TextDecoder();
  const indices = new Map<string, number>();
  for (let count = reader.unsigned(); count > 0; count--) {
    const name = decoder.decode(reader.take(reader.unsigned()));
    const isFunction = reader.byte() === 0;
    const index = reader.unsigned();
    if (isFunction) indices.set(name, index);
  }
  return wanted.map((name) => {
    const index = indices.get(name);
    if (index !== undefined) return index;
    throw new RangeError(`Cannot meter the module: it has no function "${name}"`);
  });
}

/** @returns how many functions are imported, which is all that may be */
function countImports(content: Uint8Array): number {
  const reader = new WasmReader(content);
  const total = reader.unsigned();
  for (let count = 0; count < total; count++) {
    reader.take(reader.unsigned());
    reader.take(reader.unsigned());
    if (reader.byte() !== 0) throw new RangeError("Cannot meter the module: it imports a global");
    reader.unsigned();
  }
  return total;
}

function limitMemory(content: Uint8Array, pages: number): Uint8Array {
  const reader = new WasmReader(content);
  if (reader.unsigned() !== 1) throw new RangeError("Cannot meter the module: it needs one memory");
  reader.byte();
  const initial = reader.unsigned();
  return concat([unsigned(1), [0x01], unsigned(initial), unsigned(pages)]);
}

function addCounter(content: Uint8Array, steps: number): Uint8Array {
  const reader = new WasmReader(content);
  const count = reader.unsigned();
  const rest = content.subarray(reader.position);
  const [i32, mutable, constant, end] = [0x7f, 0x01, 0x41, 0x0b];
  return concat([unsigned(count + 1), rest, [i32, mutable, constant], signed(steps), [end]]);
}

interface Meter {
  /** The index of the global that holds the steps left. */
  counter: number;
  /** The functions, by their place in the code section, that begin with all steps. */
  refills: Set<number>;
  steps: number;
}

function meterCode(content: Uint8Array, { counter, refills, steps }: Meter): Uint8Array {
  const global = unsigned(counter);
  // if (counter === 0) trap; counter -= 1
  const step = concat([
    [0x23, ...global, 0x45, 0x04, 0x40, 0x00, 0x0b],
    [0x23, ...global, 0x41, 0x01, 0x6b, 0x24, ...global],
  ]);
  const refill = concat([[0x41], signed(steps), [0x24, ...global]]);

  const reader = new WasmReader(content);
  const total = reader.unsigned();
  const parts: Bytes[] = [unsigned(total)];
  for (let index = 0; index < total; index++) {
    const body = reader.take(reader.unsigned());
    const metered = meterBody(body, refills.has(index) ? concat([refill, step]) : step, step);
    parts.push(unsigned(metered.length), metered);
  }
  return concat(parts);
}

/** Puts one piece of code at the start of a function, another at the start of each of its loops. */
function meterBody(body: Uint8Array, atStart: Uint8Array, atLoop: Uint8Array): Uint8Array {
  const reader = new WasmReader(body);
  for (let count = reader.unsigned(); count > 0; count--) {
    reader.unsigned();
    reader.byte();
  }
  const parts: Bytes[] = [body.subarray(0, reader.position), atStart];
  let copied = reader.position;
  const loop = 0x03;
  while (!reader.isAtEnd) {
    if (reader.instruction() !== loop) continue;
    parts.push(body.subarray(copied, reader.position), atLoop);
    copied = reader.position;
  }
  return concat([...parts, body.subarray(copied)]);
}

type Bytes = Uint8Array | number[];

function concat(parts: Bytes[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

/** In LEB128. */
function unsigned(value: number): number[] {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return [...bytes, value];
}

/** A number from 0 to 2 ** 31 - 1 in signed LEB128. */
function signed(value: number): number[] {
  const bytes = [];
  for (; value >= 0x40; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return [...bytes, value];
}
