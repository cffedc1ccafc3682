/**
 * Where Linux systems keep their C library. Deno lets a process load only what its permissions name
 * by an absolute path.
 */
export const libcPaths: readonly string[] = [
  "/lib/x86_64-linux-gnu",
  "/usr/lib/x86_64-linux-gnu",
  "/lib/aarch64-linux-gnu",
  "/usr/lib/aarch64-linux-gnu",
  "/lib64",
  "/usr/lib64",
  "/lib",
  "/usr/lib",
].map((folder) => `${folder}/libc.so.6`);
