import { dirname } from "node:path";
import { mountOption, type NamespaceCalls } from "./namespace_calls.ts";
import { devices, programFolders, programSettings, temporaryFolders } from "./program_paths.ts";

/**
 * Mount point of the new root: a folder that every system has, and that neither commands nor Deno's
 * runtime need from here on. A file open for writing in it would prevent the read-only remount.
 */
const mountPoint = "/sys";

const untrusted = mountOption.noSetuid | mountOption.noDevices;

/**
 * Builds the file system of one command and enters it: the system's programs, read-only, empty
 * temporary folders, the command's own `/proc`, and the scope, under its path outside. Nothing else
 * has a path there, so nothing else can be read or changed: not other scopes, not the store, not
 * the sockets of other services.
 *
 * @param scope null for a command that sees no files of users
 * @param temporaryBytes the size of each temporary folder
 */
export function enterCommandRoot(
  calls: NamespaceCalls,
  scope: string | null,
  temporaryBytes: number,
): void {
  const held = scope === null ? null : calls.hold(scope);
  calls.mountMemory(mountPoint, "mode=0755,size=1m");
  for (const path of [...programFolders, ...programSettings]) {
    bindEntry(calls, path, untrusted | mountOption.readOnly);
  }
  for (const path of devices) bindEntry(calls, path, mountOption.noSetuid);
  for (const [name, target] of Object.entries(links)) {
    Deno.symlinkSync(target, `${mountPoint}${name}`);
  }
  for (const path of temporaryFolders) {
    Deno.mkdirSync(`${mountPoint}${path}`, { recursive: true });
    calls.mountMemory(`${mountPoint}${path}`, `mode=0700,size=${temporaryBytes},nr_inodes=16k`);
  }
  Deno.mkdirSync(`${mountPoint}/proc`);
  calls.mountProcesses(`${mountPoint}/proc`);
  if (held !== null) {
    Deno.mkdirSync(`${mountPoint}${scope}`, { recursive: true });
    calls.bind(held, `${mountPoint}${scope}`, untrusted);
  }

  // Remounted read-only before it is entered. Deno's threads may create their caches late: in the
  // new root, these open files would prevent the remount (EBUSY).
  calls.restrict(mountPoint, mountOption.readOnly);
  calls.enterRoot(mountPoint);
}

/** Symlinks that programs expect in `/dev`. */
const links = {
  "/dev/fd": "/proc/self/fd",
  "/dev/stdin": "/proc/self/fd/0",
  "/dev/stdout": "/proc/self/fd/1",
  "/dev/stderr": "/proc/self/fd/2",
};

/** Bind-mounts an entry of the system at the same path in the new root; skips missing ones. */
function bindEntry(calls: NamespaceCalls, path: string, options: bigint): void {
  const info = lstatOrNull(path);
  if (!info) return;
  const target = `${mountPoint}${path}`;
  Deno.mkdirSync(dirname(target), { recursive: true });
  if (info.isSymlink) return Deno.symlinkSync(Deno.readLinkSync(path), target);
  if (info.isDirectory) Deno.mkdirSync(target, { recursive: true });
  else Deno.writeFileSync(target, new Uint8Array());
  calls.bind(path, target, options);
}

function lstatOrNull(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
