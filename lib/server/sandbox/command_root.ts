import { dirname } from "node:path";
import { mountOption, type NamespaceCalls } from "./namespace_calls.ts";
import { devices, programFolders, programSettings, temporaryFolders } from "./program_paths.ts";

/**
 * Where the new file system is made: a folder that every system has, and below which nothing is
 * needed from here on, neither by a command nor by what runs beneath this program. Whatever opened a
 * file for writing in it would keep it from being sealed.
 */
const site = "/sys";

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
  calls.mountMemory(site, "mode=0755,size=1m");
  for (const path of [...programFolders, ...programSettings]) {
    show(calls, path, untrusted | mountOption.readOnly);
  }
  for (const path of devices) show(calls, path, mountOption.noSetuid);
  for (const [name, target] of Object.entries(links)) Deno.symlinkSync(target, `${site}${name}`);
  for (const path of temporaryFolders) {
    Deno.mkdirSync(`${site}${path}`, { recursive: true });
    calls.mountMemory(`${site}${path}`, `mode=0700,size=${temporaryBytes},nr_inodes=16k`);
  }
  Deno.mkdirSync(`${site}/proc`);
  calls.mountProcesses(`${site}/proc`);
  Deno.mkdirSync(`${site}${scope}`, { recursive: true });
  calls.bind(held, `${site}${scope}`, untrusted);

  // Sealed before it is entered. Deno's threads open their caches late on a busy machine: in the new
  // root they would make them anew, keep them open and so keep it from being sealed (EBUSY).
  calls.restrict(site, mountOption.readOnly);
  calls.enterRoot(site);
}

/** What programs expect beside the devices. */
const links = {
  "/dev/fd": "/proc/self/fd",
  "/dev/stdin": "/proc/self/fd/0",
  "/dev/stdout": "/proc/self/fd/1",
  "/dev/stderr": "/proc/self/fd/2",
};

/** Has an entry of the system at its place in the new root; what is not there is left out. */
function show(calls: NamespaceCalls, path: string, options: bigint): void {
  const info = lookAt(path);
  if (!info) return;
  const target = `${site}${path}`;
  Deno.mkdirSync(dirname(target), { recursive: true });
  if (info.isSymlink) return Deno.symlinkSync(Deno.readLinkSync(path), target);
  if (info.isDirectory) Deno.mkdirSync(target, { recursive: true });
  else Deno.writeFileSync(target, new Uint8Array());
  calls.bind(path, target, options);
}

function lookAt(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
