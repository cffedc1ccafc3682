/** Runs filters of system calls as the kernel does, for any architecture. */

/** A system call, as a filter sees it. */
export interface SeenCall {
  number: number;
  /** As the kernel names it (linux/audit.h); x86_64 unless given. */
  architecture?: number;
  args?: number[];
}

const codes = { load: 0x20, jumpIfEqual: 0x15, jumpIfNotLess: 0x35, jumpIfAnySet: 0x45 } as const;
const answer = 0x06;

/** What the filter answers: `allow`, `kill`, or the error that the caller sees. */
export function answerOf(
  program: Uint8Array<ArrayBuffer>,
  call: SeenCall,
): "allow" | "kill" | number {
  const result = run(program, call);
  if (result === 0x7fff0000) return "allow";
  if (result === 0x80000000) return "kill";
  if (result >>> 16 === 5) return result & 0xffff;
  throw new Error(`The filter answers 0x${result.toString(16)}`);
}

function run(program: Uint8Array<ArrayBuffer>, call: SeenCall): number {
  const data = seccompData(call);
  const view = new DataView(program.buffer);
  let loaded = 0;
  for (let at = 0; at < program.length; at += 8) {
    const operand = view.getUint32(at + 4, true);
    const jump = (holds: boolean) => at += 8 * view.getUint8(at + (holds ? 2 : 3));
    const code = view.getUint16(at, true);
    if (code === answer) return operand;
    if (code === codes.load) loaded = data.getUint32(operand, true);
    else if (code === codes.jumpIfEqual) jump(loaded === operand);
    else if (code === codes.jumpIfNotLess) jump(loaded >= operand);
    else if (code === codes.jumpIfAnySet) jump((loaded & operand) !== 0);
    else throw new Error(`The filter has the unknown instruction 0x${code.toString(16)}`);
  }
  throw new Error("The filter runs past its end");
}

function seccompData({ number, architecture = 0xc000003e, args = [] }: SeenCall): DataView {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, architecture, true);
  args.forEach((arg, index) => data.setBigInt64(16 + 8 * index, BigInt(arg), true));
  return data;
}
