import { callNumbers } from "./call_numbers.ts";

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
