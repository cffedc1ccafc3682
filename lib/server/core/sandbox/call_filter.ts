/**
 * System call filters (seccomp): lists of refusals, assembled into classic BPF programs, which the
 * kernel runs for each call.
 */
import { type CallName, callNumbers } from "./call_numbers.ts";

/** A rule of a filter. */
export interface Refusal {
  calls: CallName[];
  /** The error that the caller sees. */
  error: number;
  /** Restricts the refusal to calls whose arguments meet all of these. */
  when?: Condition[];
}

/**
 * A condition on the low 32 bits of an argument (0 is the first): the kernel uses the arguments
 * checked here as 32-bit integers.
 */
export type Condition =
  | { argument: number; anySet: number }
  | { argument: number; noneSet: number }
  | { argument: number; noneOf: readonly number[] };

/** Error numbers (asm-generic/errno.h); with none, a call is skipped, and its caller sees 0. */
export const errorNumber = {
  none: 0,
  notPermitted: 1,
  notThere: 38,
  familyNotSupported: 97,
} as const;

/** Families of sockets (linux/socket.h). */
export const family = { unix: 1, internet: 2, internet6: 10, netlink: 16 } as const;

/** One instruction: code, jump offsets if true and if false, operand. */
type Instruction = [code: number, ifSo: number, ifNot: number, operand: number];

/** Codes of instructions (linux/bpf_common.h). */
const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfNotLess = 0x35;
const jumpIfAnySet = 0x45;
const answer = 0x06;

/** Return values of a filter (linux/seccomp.h). */
const allow = 0x7fff0000;
const killProcess = 0x80000000;
const refuse = 0x00050000;

/** Offsets in the filter's input (struct seccomp_data). */
const numberAt = 0;
const architectureAt = 4;
const argumentAt = (index: number) => 16 + 8 * index;

/** Bit of the x32 calls on x86_64. */
const secondSet = 0x40000000;

/** Placeholder of a jump past the refusal, until its offset is known. */
const pastRefusal = -1;

/** The kernel's id of an architecture (linux/audit.h), and its column in the table of numbers. */
const architectures = {
  x86_64: { id: 0xc000003e, column: 0 },
  aarch64: { id: 0xc00000b7, column: 1 },
} as const;

type Architecture = keyof typeof architectures;

/**
 * Assembles a filter, for this machine unless another architecture is named. Calls of another
 * architecture kill the process, as their numbers differ; those of x32 are refused with EPERM.
 *
 * @throws Error when the numbers of the architecture are not known
 */
export function assembleFilter(
  refusals: readonly Refusal[],
  architecture: string = Deno.build.arch,
): Uint8Array<ArrayBuffer> {
  if (!isKnown(architecture)) throw new Error(`the calls of ${architecture} are not known`);
  const { id, column } = architectures[architecture];
  const always = refusals.filter(({ when }) => when === undefined);
  const conditional = refusals.filter(({ when }) => when !== undefined);
  return encode([
    ...program([load, 0, 0, architectureAt], [jumpIfEqual, 1, 0, id], [answer, 0, 0, killProcess]),
    ...program([load, 0, 0, numberAt], [jumpIfNotLess, 0, 1, secondSet]),
    ...program([answer, 0, 0, refuse | errorNumber.notPermitted]),
    // The call number is loaded; conditions overwrite it with arguments, so they come last.
    ...[...always, ...conditional].flatMap((refusal) => assemble(refusal, column)),
    [answer, 0, 0, allow],
  ]);
}

function isKnown(name: string): name is Architecture {
  return name in architectures;
}

function assemble({ calls, error, when }: Refusal, column: 0 | 1): Instruction[] {
  const numbers = calls.map((call) => callNumbers[call][column]);
  return numbers.filter((number) => number !== undefined).flatMap((number) =>
    resolve([
      ...(when ? program([load, 0, 0, numberAt]) : []),
      [jumpIfEqual, 0, pastRefusal, number],
      ...(when ?? []).flatMap(check),
      [answer, 0, 0, refuse | error],
    ])
  );
}

function check(condition: Condition): Instruction[] {
  const loaded: Instruction = [load, 0, 0, argumentAt(condition.argument)];
  if ("anySet" in condition) return [loaded, [jumpIfAnySet, 0, pastRefusal, condition.anySet]];
  if ("noneSet" in condition) return [loaded, [jumpIfAnySet, pastRefusal, 0, condition.noneSet]];
  const jumps = condition.noneOf.map((value): Instruction => [jumpIfEqual, pastRefusal, 0, value]);
  return [loaded, ...jumps];
}

/** Fills in the offsets of placeholder jumps. */
function resolve(instructions: Instruction[]): Instruction[] {
  return instructions.map(([code, ifSo, ifNot, operand], index) => {
    const distance = instructions.length - index - 1;
    const to = (jump: number) => jump === pastRefusal ? distance : jump;
    return [code, to(ifSo), to(ifNot), operand];
  });
}

function program(...instructions: Instruction[]): Instruction[] {
  return instructions;
}

function encode(instructions: Instruction[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(instructions.length * 8));
  instructions.forEach(([code, ifSo, ifNot, operand], index) => {
    view.setUint16(8 * index, code, true);
    view.setUint8(8 * index + 2, ifSo);
    view.setUint8(8 * index + 3, ifNot);
    view.setUint32(8 * index + 4, operand, true);
  });
  return new Uint8Array(view.buffer);
}

/**
 * The calls that install a filter. Memory comes from the C library, with addresses as numbers: the
 * address of a typed array requires permission for all libraries.
 */
const symbols = {
  prctl: { parameters: ["i32", "u64", "u64", "u64", "u64"], result: "i32" },
  seccomp: { name: "syscall", parameters: ["i64", "u64", "u64", "buffer"], result: "i64" },
  malloc: { parameters: ["usize"], result: "usize" },
  free: { parameters: ["usize"], result: "void" },
  copyIn: { name: "memcpy", parameters: ["usize", "buffer", "usize"], result: "usize" },
  copyOut: { name: "memcpy", parameters: ["buffer", "usize", "usize"], result: "usize" },
  errorNumber: { name: "__errno_location", parameters: [], result: "usize" },
} as const satisfies Deno.ForeignLibraryInterface;

type Calls = Deno.DynamicLibrary<typeof symbols>["symbols"];

const seccompNumber = BigInt(callNumbers.seccomp[Deno.build.arch === "aarch64" ? 1 : 0]);
const setFilter = 1n;
const setNoNewPrivileges = 38;

/** Flags of a filter (linux/seccomp.h). */
export const filterFlag = {
  /** Applies to all threads of the process, also existing ones. */
  everyThread: 1n,
  /** Keeps speculative execution, which kernels before 5.16 restrict otherwise. */
  keepSpeed: 4n,
} as const;

/**
 * Installs a filter permanently, for the calling thread or all, the threads that they start, and
 * the programs that they execute.
 *
 * @param library path or name of the C library
 * @param program from `assembleFilter()`
 * @throws Error when the kernel refuses
 */
export function installFilter(
  library: string,
  program: Uint8Array<ArrayBuffer>,
  flags: bigint,
): void {
  const libc = Deno.dlopen(library, symbols);
  try {
    install(libc.symbols, program, flags);
  } finally {
    libc.close();
  }
}

function install(calls: Calls, program: Uint8Array<ArrayBuffer>, flags: bigint): void {
  const size = BigInt(program.length);
  const address = calls.malloc(size);
  if (address === 0n) throw new Error("out of memory");
  try {
    calls.copyIn(address, program, size);
    // Without this only root may install filters. Landlock requires it as well.
    if (calls.prctl(setNoNewPrivileges, 1n, 0n, 0n, 0n) !== 0) throw filterError(calls);
    const header = new DataView(new ArrayBuffer(16)); // struct sock_fprog
    header.setUint16(0, program.length / 8, true);
    header.setBigUint64(8, address, true);
    const bytes = new Uint8Array(header.buffer);
    const result = calls.seccomp(seccompNumber, setFilter, flags, bytes);
    if (result < 0n) throw filterError(calls);
    if (result > 0n) throw new Error(`thread ${result} has another filter`);
  } finally {
    calls.free(address);
  }
}

function filterError(calls: Calls): Error {
  const number = new Int32Array(1);
  const bytes = new Uint8Array(number.buffer);
  calls.copyOut(bytes, calls.errorNumber(), BigInt(bytes.length));
  return new Error(`error ${number[0]}`);
}
