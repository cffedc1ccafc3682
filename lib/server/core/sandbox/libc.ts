const symbols = {
  execve: { parameters: ["buffer", "buffer", "buffer"], result: "i32" },
  open: { parameters: ["buffer", "i32"], result: "i32" },
  openFile: { name: "open", parameters: ["buffer", "i32", "u32"], result: "i32" },
  dup2: { parameters: ["i32", "i32"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
  flock: { parameters: ["i32", "i32"], result: "i32" },
  fcntl: { parameters: ["i32", "i32", "i32"], result: "i32" },
  lockRange: { name: "fcntl", parameters: ["i32", "i32", "buffer"], result: "i32" },
  // glibc has no wrapper of this name before 2.36.
  pidfdOpen: { name: "syscall", parameters: ["i64", "i32", "u32"], result: "i32" },
  prctl: { parameters: ["i32", "u64", "u64", "u64", "u64"], result: "i32" },
  // glibc has no wrappers for Landlock. The numbers are the same on every architecture.
  landlockCreateRuleset: {
    name: "syscall",
    parameters: ["i64", "buffer", "usize", "u32"],
    result: "i64",
  },
  landlockAddRule: {
    name: "syscall",
    parameters: ["i64", "i32", "u32", "buffer", "u32"],
    result: "i64",
  },
  landlockRestrictSelf: { name: "syscall", parameters: ["i64", "i32", "u32"], result: "i64" },
  getrlimit: { parameters: ["i32", "buffer"], result: "i32" },
  errorNumber: { name: "__errno_location", parameters: [], result: "pointer" },
} as const satisfies Deno.ForeignLibraryInterface;

/** The functions of the C library that the launcher uses. */
export type Libc = Deno.DynamicLibrary<typeof symbols>["symbols"];

/** Loads the C library of a Linux system; null where there is none. */
export function loadLibc(): Libc | null {
  if (Deno.build.os !== "linux") return null;
  try {
    return Deno.dlopen("libc.so.6", symbols).symbols;
  } catch {
    return null;
  }
}

/**
 * Finds the C library that this process runs with: its real path; null where it cannot be
 * determined. The server process may load that one file, and no other library of the system.
 */
export function libcPath(): string | null {
  if (Deno.build.os !== "linux") return null;
  try {
    const maps = Deno.readTextFileSync("/proc/self/maps");
    const path = /\s(\/\S*\/libc(\.so\.6|-2\.\d+\.so))$/m.exec(maps)?.[1];
    return path === undefined ? null : Deno.realPathSync(path);
  } catch {
    return null;
  }
}

/** The errno of the last call. */
export function lastError(libc: Libc): number {
  const place = libc.errorNumber();
  return place === null ? 0 : new Deno.UnsafePointerView(place).getInt32();
}

/** A text as a C string. */
export function cString(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${text}\0`);
}
