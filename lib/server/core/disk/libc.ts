/**
 * The C library of a Linux system, as far as the disk needs it. It is loaded once in each thread,
 * with this module. A server needs the permission `--allow-ffi` for {@link libcPath} alone.
 */

/** The variable in which a launcher passes the path of the library that the server may load. */
export const libcVariable = "CUBBY_LIBC";

/** Other places where distributions keep it. */
const folders = [`/usr/lib/${Deno.build.arch}-linux-gnu`, "/usr/lib64", "/lib64", "/usr/lib"];

const symbols = {
  close: { parameters: ["i32"], result: "i32" },
  openat: { parameters: ["i32", "buffer", "i32", "u32"], result: "i32" },
  // The numbers of these calls are the same on every architecture; glibc has no wrappers.
  openat2: {
    name: "syscall",
    parameters: ["i64", "i32", "buffer", "buffer", "usize"],
    result: "i32",
  },
  statx: { parameters: ["i32", "buffer", "i32", "u32", "buffer"], result: "i32" },
  getdents64: { parameters: ["i32", "buffer", "usize"], result: "i32" },
  readlinkat: { parameters: ["i32", "buffer", "buffer", "usize"], result: "i32" },
  mkdirat: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  symlinkat: { parameters: ["buffer", "i32", "buffer"], result: "i32" },
  linkat: { parameters: ["i32", "buffer", "i32", "buffer", "i32"], result: "i32" },
  unlinkat: { parameters: ["i32", "buffer", "i32"], result: "i32" },
  renameat2: { parameters: ["i32", "buffer", "i32", "buffer", "u32"], result: "i32" },
  lseek: { parameters: ["i32", "i64", "i32"], result: "i64" },
  pread: { parameters: ["i32", "buffer", "usize", "i64"], result: "i64" },
  preadLater: {
    name: "pread",
    parameters: ["i32", "buffer", "usize", "i64"],
    result: "i64",
    nonblocking: true,
  },
  pwrite: { parameters: ["i32", "buffer", "usize", "i64"], result: "i64" },
  pwriteLater: {
    name: "pwrite",
    parameters: ["i32", "buffer", "usize", "i64"],
    result: "i64",
    nonblocking: true,
  },
  pwritev2Later: {
    name: "pwritev2",
    parameters: ["i32", "buffer", "i32", "i64", "i32"],
    result: "i64",
    nonblocking: true,
    optional: true,
  },
  ftruncate: { parameters: ["i32", "i64"], result: "i32" },
  copyFileRange: {
    name: "copy_file_range",
    parameters: ["i32", "buffer", "i32", "buffer", "usize", "u32"],
    result: "i64",
  },
  geteuid: { parameters: [], result: "u32" },
  fchmod: { parameters: ["i32", "u32"], result: "i32" },
  fchown: { parameters: ["i32", "u32", "u32"], result: "i32" },
  flistxattr: { parameters: ["i32", "buffer", "usize"], result: "i64" },
  fgetxattr: { parameters: ["i32", "buffer", "buffer", "usize"], result: "i64" },
  fsetxattr: { parameters: ["i32", "buffer", "buffer", "usize", "i32"], result: "i32" },
  fremovexattr: { parameters: ["i32", "buffer"], result: "i32" },
  futimens: { parameters: ["i32", "buffer"], result: "i32" },
  fstatfsLater: {
    name: "fstatfs",
    parameters: ["i32", "buffer"],
    result: "i32",
    nonblocking: true,
  },
  statfsLater: {
    name: "statfs",
    parameters: ["buffer", "buffer"],
    result: "i32",
    nonblocking: true,
  },
  statxLater: {
    name: "statx",
    parameters: ["i32", "buffer", "i32", "u32", "buffer"],
    result: "i32",
    nonblocking: true,
  },
  openLater: {
    name: "openat",
    parameters: ["i32", "buffer", "i32", "u32"],
    result: "i32",
    nonblocking: true,
  },
  fsyncLater: { name: "fsync", parameters: ["i32"], result: "i32", nonblocking: true },
  fsync: { parameters: ["i32"], result: "i32" },
  syncRangeLater: {
    name: "sync_file_range",
    parameters: ["i32", "i64", "i64", "u32"],
    result: "i32",
    nonblocking: true,
  },
  syncfsLater: { name: "syncfs", parameters: ["i32"], result: "i32", nonblocking: true },
  syncfs: { parameters: ["i32"], result: "i32" },
  poll: { parameters: ["buffer", "u64", "i32"], result: "i32" },
  getrlimit: { parameters: ["i32", "buffer"], result: "i32" },
  inotifyInit1: { name: "inotify_init1", parameters: ["i32"], result: "i32" },
  inotifyAddWatch: {
    name: "inotify_add_watch",
    parameters: ["i32", "buffer", "u32"],
    result: "i32",
  },
  inotifyRemoveWatch: { name: "inotify_rm_watch", parameters: ["i32", "i32"], result: "i32" },
  read: { parameters: ["i32", "buffer", "usize"], result: "i64" },
  umask: { parameters: ["u32"], result: "u32" },
  flock: { parameters: ["i32", "i32"], result: "i32" },
  errno: { name: "__errno_location", parameters: [], result: "pointer" },
  memcpy: { parameters: ["buffer", "pointer", "usize"], result: "void" },
  // Returns its first argument. Deno's own way to an address needs the permission for all libraries.
  addressOf: { name: "memcpy", parameters: ["buffer", "buffer", "usize"], result: "u64" },
  // glibc's own: musl has no arenas to trim.
  mallocTrimLater: {
    name: "malloc_trim",
    parameters: ["usize"],
    result: "i32",
    nonblocking: true,
    optional: true,
  },
} as const satisfies Deno.ForeignLibraryInterface;

/** The calls of the C library. */
export type Libc = Deno.DynamicLibrary<typeof symbols>["symbols"];

const loaded = load();

/** The C library; null where there is none of this kind, or it must not be called. */
export const libc: Libc | null = loaded?.symbols ?? null;

/** The path of the C library that was loaded. */
export const libcPath: string | null = loaded?.path ?? null;

function load(): { path: string; symbols: Libc } | null {
  if (Deno.build.os !== "linux") return null;
  for (const path of [givenPath(), ...folders.map((folder) => `${folder}/libc.so.6`)]) {
    if (path === undefined) continue;
    try {
      return { path, symbols: Deno.dlopen(path, symbols).symbols };
    } catch {
      // Not there, not allowed, or without one of the calls.
    }
  }
  return null;
}

function givenPath(): string | undefined {
  try {
    return Deno.env.get(libcVariable);
  } catch {
    return undefined;
  }
}

const errorPlace = libc?.errno() ?? null;
const errorBytes = new Uint8Array(4);
const errorNumber = new Int32Array(errorBytes.buffer);

/** The error number (errno) of this thread's last call. */
export function lastError(): number {
  libc?.memcpy(errorBytes, errorPlace, 4n);
  return errorNumber[0] ?? 0;
}
