/** System calls through the C library, as a process would make them that is somebody else's. */
import { type CallName, callNumbers } from "../../../lib/server/core/sandbox/call_numbers.ts";

/** A call and its arguments. Those that are missing are -1: no address, descriptor or flags. */
export type RawCall = [CallName, ...number[]];

const symbols = {
  call: {
    name: "syscall",
    parameters: ["i64", "i64", "i64", "i64", "i64", "i64"],
    result: "i64",
  },
  errorNumber: { name: "__errno_location", parameters: [], result: "usize" },
  copyOut: { name: "memcpy", parameters: ["buffer", "usize", "usize"], result: "usize" },
} as const satisfies Deno.ForeignLibraryInterface;

/** Makes the calls and tells the error of each; 0 for those that are done. */
export function makeCalls(libc: string, calls: RawCall[]): number[] {
  const { call, errorNumber, copyOut } = Deno.dlopen(libc, symbols).symbols;
  const column = Deno.build.arch === "aarch64" ? 1 : 0;
  return calls.map(([name, ...given]) => {
    const number = callNumbers[name][column];
    if (number === undefined) throw new Error(`no ${name} here`);
    const [a, b, c, d, e] = [...given, -1, -1, -1, -1, -1].map(BigInt);
    if (call(BigInt(number), a ?? 0n, b ?? 0n, c ?? 0n, d ?? 0n, e ?? 0n) >= 0n) return 0;
    const error = new Int32Array(1);
    copyOut(new Uint8Array(error.buffer), errorNumber(), 4n);
    return error[0] ?? 0;
  });
}
