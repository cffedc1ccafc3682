import { lastError, type Libc } from "../start/libc.ts";

/** A system call whose argument can make a file that runs as its owner. */
interface ModeCall {
  number: number;
  /** Which argument is the mode. */
  mode: number;
  /** Which one has flags; the mode counts only if one of them makes a file. */
  flags?: number;
}

/** The numbers of calls, which each architecture has its own. */
interface Architecture {
  /** As the kernel names it (linux/audit.h). */
  id: number;
  modeCalls: ModeCall[];
  /** Calls that do more than can be looked at, or reach what no namespace parts. */
  missing: number[];
}

/** `openat2`, `io_uring_setup`: the same everywhere. */
const hidden = [437, 425];
const fchmodat2: ModeCall = { number: 452, mode: 2 };

const architectures: Partial<Record<typeof Deno.build.arch, Architecture>> = {
  x86_64: {
    id: 0xc000003e,
    modeCalls: [
      ...[{ number: 90, mode: 1 }, { number: 91, mode: 1 }, { number: 268, mode: 2 }, fchmodat2],
      ...[{ number: 133, mode: 1 }, { number: 259, mode: 2 }, { number: 85, mode: 1 }],
      ...[{ number: 2, mode: 2, flags: 1 }, { number: 257, mode: 3, flags: 2 }],
    ],
    // Keys of the account, then bpf, perf_event_open, userfaultfd.
    missing: [...hidden, 248, 249, 250, 321, 298, 323],
  },
  aarch64: {
    id: 0xc00000b7,
    modeCalls: [
      ...[{ number: 52, mode: 1 }, { number: 53, mode: 2 }, fchmodat2, { number: 33, mode: 2 }],
      { number: 56, mode: 3, flags: 2 },
    ],
    missing: [...hidden, 217, 218, 219, 280, 241, 282],
  },
};

/** Instructions of the classic Berkeley Packet Filter (linux/bpf_common.h). */
const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfNotLess = 0x35;
const jumpIfAnySet = 0x45;
const answer = 0x06;

/** Answers to a call (linux/seccomp.h). */
const allow = 0x7fff0000;
const kill = 0x80000000;
const refuse = 0x00050000 | 1; // EPERM
const notThere = 0x00050000 | 38; // ENOSYS

const runsAsOwnerOrGroup = 0o6000;
const makesFile = 0o100 | 0o20000000; // O_CREAT, __O_TMPFILE
/** From here on x86_64 has another set of the same calls. */
const secondSet = 0x40000000;

const setSeccomp = 22;
const filterMode = 2n;

/** One instruction: what it does, how far to jump if it holds and if not, its operand. */
type Instruction = [code: number, ifSo: number, ifNot: number, operand: number];

/**
 * Keeps the calling thread, and what it executes, from making programs that run as their owner,
 * which whoever else has an account on the machine could then start; and from calls that would get
 * around that, or around the sandbox. The kernel must have been told to give no new privileges.
 *
 * @throws Error when the kernel refuses, or the architecture is not known
 */
export function filterSystemCalls(libc: Libc): void {
  const architecture = architectures[Deno.build.arch];
  if (!architecture) throw new Error(`the calls of ${Deno.build.arch} are not known`);
  const program = encode(filterFor(architecture));
  const header = new DataView(new ArrayBuffer(16));
  header.setUint16(0, program.length / 8, true);
  header.setBigUint64(8, addressOf(program), true);
  const bytes = new Uint8Array(header.buffer as ArrayBuffer);
  if (libc.prctl(setSeccomp, filterMode, addressOf(bytes), 0n, 0n) !== 0) {
    throw new Error(`cannot filter system calls: error ${lastError(libc)}`);
  }
}

function filterFor({ id, modeCalls, missing }: Architecture): Instruction[] {
  return [
    ...[[load, 0, 0, 4], [jumpIfEqual, 1, 0, id], [answer, 0, 0, kill]] satisfies Instruction[],
    ...[[load, 0, 0, 0], [jumpIfNotLess, 0, 1, secondSet]] satisfies Instruction[],
    [answer, 0, 0, refuse],
    ...missing.flatMap((number): Instruction[] => [
      [jumpIfEqual, 0, 1, number],
      [answer, 0, 0, notThere],
    ]),
    ...modeCalls.flatMap(checkMode),
    [answer, 0, 0, allow],
  ];
}

function checkMode({ number, mode, flags }: ModeCall): Instruction[] {
  const check: Instruction[] = [
    [load, 0, 0, argumentAt(mode)],
    [jumpIfAnySet, 0, 1, runsAsOwnerOrGroup],
    [answer, 0, 0, refuse],
    [answer, 0, 0, allow],
  ];
  if (flags !== undefined) {
    check.unshift([load, 0, 0, argumentAt(flags)], [jumpIfAnySet, 1, 0, makesFile], [
      ...[answer, 0, 0, allow] satisfies Instruction,
    ]);
  }
  return [[jumpIfEqual, 0, check.length, number], ...check];
}

/** Where the low half of an argument is in what a filter sees. */
function argumentAt(index: number): number {
  return 16 + 8 * index;
}

function encode(program: Instruction[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(program.length * 8));
  program.forEach(([code, ifSo, ifNot, operand], index) => {
    view.setUint16(8 * index, code, true);
    view.setUint8(8 * index + 2, ifSo);
    view.setUint8(8 * index + 3, ifNot);
    view.setUint32(8 * index + 4, operand, true);
  });
  return new Uint8Array(view.buffer);
}

function addressOf(bytes: Uint8Array<ArrayBuffer>): bigint {
  return Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes));
}
