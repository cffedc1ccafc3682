import { dirname } from "node:path";
import { mountOption, type NamespaceCalls } from "./namespace_calls.ts";
import { devices, programFolders, programSettings, temporaryFolders } from "./program_paths.ts";

/** Where the file system of before is found while the new one is made. */
const former = "/former";

const untrusted = mountOption.noSetuid | mountOption.noDevices;

/**
 * Builds the file system of one command and enters it: the system's programs, which cannot be
 * written, empty temporary folders, the command's own processes, and the scope, under the path
 * that it has outside. Nothing else has a path there, so nothing else can be opened, looked at or
 * changed in any way: not other scopes, not the store, not the sockets of other services.
 *
 * @param temporaryBytes the size of each temporary folder
 */
export function enterCommandRoot(
  calls: NamespaceCalls,
  scope: string,
  temporaryBytes: number,
): void {
  const held = calls.hold(scope);
  calls.mountMemory("/tmp", "mode=0755,size=1m");
  Deno.mkdirSync(`/tmp${former}`);
  calls.enterRoot("/tmp", `/tmp${former}`);

  for (const path of [...programFolders, ...programSettings]) {
    show(calls, path, untrusted | mountOption.readOnly);
  }
  for (const path of devices) show(calls, path, mountOption.noSetuid);
  for (const [name, target] of Object.entries(links)) Deno.symlinkSync(target, name);
  for (const path of temporaryFolders) {
    Deno.mkdirSync(path, { recursive: true });
    calls.mountMemory(path, `mode=0700,size=${temporaryBytes},nr_inodes=16k`);
  }
  Deno.mkdirSync("/proc");
  calls.mountProcesses("/proc");
  Deno.mkdirSync(scope, { recursive: true });
  calls.bind(`${former}${held}`, scope, untrusted);

  calls.detach(former);
  Deno.removeSync(former);
  calls.restrict("/", mountOption.readOnly);
}

/** What programs expect beside the devices. */
const links = {
  "/dev/fd": "/proc/self/fd",
  "/dev/stdin": "/proc/self/fd/0",
  "/dev/stdout": "/proc/self/fd/1",
  "/dev/stderr": "/proc/self/fd/2",
};

/** Has an entry of the former file system at its place in this one; what is not there is left out. */
function show(calls: NamespaceCalls, path: string, options: bigint): void {
  const source = `${former}${path}`;
  const info = lookAt(source);
  if (!info) return;
  Deno.mkdirSync(dirname(path), { recursive: true });
  if (info.isSymlink) return Deno.symlinkSync(Deno.readLinkSync(source), path);
  if (info.isDirectory) Deno.mkdirSync(path, { recursive: true });
  else Deno.writeFileSync(path, new Uint8Array());
  calls.bind(source, path, options);
}

function lookAt(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
