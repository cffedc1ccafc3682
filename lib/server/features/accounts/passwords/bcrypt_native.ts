import type { Bcrypt } from "./bcrypt.ts";

/**
 * bcrypt in native code, on the runtime's own threads, or null where it can't be loaded: another
 * system, or a process without the permissions it needs. Those are `--allow-ffi` and
 * `--allow-read` on node_modules, `--allow-read=/usr/bin/ldd` (it looks there which C library the
 * system has) and `--allow-env=NAPI_RS_FORCE_WASI`.
 */
export async function openNativeBcrypt(): Promise<Bcrypt | null> {
  try {
    const { hash, verify } = await import("@node-rs/bcrypt");
    await hash("loads", 4);
    return {
      name: "@node-rs/bcrypt",
      hash: (password, cost) => hash(password, cost),
      verify: (password, expected) => verify(password, expected),
      close: () => {},
    };
  } catch {
    return null;
  }
}
