/**
 * Filters of system calls (seccomp): lists of refusals, assembled into programs of the classic
 * Berkeley Packet Filter, which the kernel runs for each call.
 */
import { type CallName, callNumbers } from "./call_numbers.ts";

/** What a filter refuses. */
export interface Refusal {
  calls: CallName[];
  /** The error that the caller sees. */
  error: number;
  /** The refusal counts only for calls whose arguments meet all of these. */
  when?: Condition[];
}

/**
 * What the low 32 bits of an argument (0 is the first) must be: the kernel takes the arguments that
 * are looked at here as 32-bit integers.
 */
export type Condition =
  | { argument: number; anySet: number }
  | { argument: number; noneSet: number }
  | { argument: number; noneOf: readonly number[] };

/** Numbers of errors (asm-generic/errno.h). */
export const errorNumber = { notPermitted: 1, notThere: 38, familyNotSupported: 97 } as const;

/** Families of sockets (linux/socket.h). */
export const family = { unix: 1, internet: 2, internet6: 10, netlink: 16 } as const;

/** One instruction: its code, how far to jump if it holds and if not, its operand. */
type Instruction = [code: number, ifSo: number, ifNot: number, operand: number];

/** Codes of instructions (linux/bpf_common.h). */
const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfNotLess = 0x35;
const jumpIfAnySet = 0x45;
const answer = 0x06;

/** Answers to a call (linux/seccomp.h). */
const allow = 0x7fff0000;
const killProcess = 0x80000000;
const refuse = 0x00050000;

/** What a filter sees of a call (struct seccomp_data). */
const numberAt = 0;
const architectureAt = 4;
const argumentAt = (index: number) => 16 + 8 * index;

/** From here on x86_64 has a second set of the same calls (x32). */
const secondSet = 0x40000000;

/** Stands for a jump behind the refusal, until the distance is known. */
const onward = -1;

/** How the kernel names an architecture (linux/audit.h), and its column of the numbers. */
const architectures = {
  x86_64: { id: 0xc000003e, column: 0 },
  aarch64: { id: 0xc00000b7, column: 1 },
} as const;

type Architecture = keyof typeof architectures;

/**
 * Assembles a filter, for this machine unless another architecture is named. Calls of another architecture end the process, as every
 * number means something else there; those of x32 are refused with EPERM.
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
    // The number is loaded; conditions load arguments in its place, and so come last.
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
      [jumpIfEqual, 0, onward, number],
      ...(when ?? []).flatMap(check),
      [answer, 0, 0, refuse | error],
    ])
  );
}

function check(condition: Condition): Instruction[] {
  const loaded: Instruction = [load, 0, 0, argumentAt(condition.argument)];
  if ("anySet" in condition) return [loaded, [jumpIfAnySet, 0, onward, condition.anySet]];
  if ("noneSet" in condition) return [loaded, [jumpIfAnySet, onward, 0, condition.noneSet]];
  const jumps = condition.noneOf.map((value): Instruction => [jumpIfEqual, onward, 0, value]);
  return [loaded, ...jumps];
}

/** Puts in the distances of the jumps behind the end. */
function resolve(instructions: Instruction[]): Instruction[] {
  return instructions.map(([code, ifSo, ifNot, operand], index) => {
    const distance = instructions.length - index - 1;
    const to = (jump: number) => jump === onward ? distance : jump;
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
