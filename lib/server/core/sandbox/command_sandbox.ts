import { dirname } from "node:path";
import { mountOption, type NamespaceCalls } from "./namespace_calls.ts";
import { devices, programFolders, programSettings, temporaryFolders } from "./program_paths.ts";
import { type Domain, right } from "./landlock.ts";
import { assembleFilter, errorNumber, family, installFilter, type Refusal } from "./call_filter.ts";

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

const read = right.readFile | right.readFolder;
const write = right.writeFile | right.truncate | right.removeFile | right.removeFolder |
  right.makeFile | right.makeFolder | right.makeLink | right.makePipe | right.makeSocket |
  right.moveBetweenFolders;

/**
 * The Landlock domain of one command: it writes to its user's scope and its own temporary folders,
 * reads these and the system's programs, mounts nothing, connects nowhere and sends no signal to
 * anything outside.
 */
export function commandDomain(scope: string | null): Domain {
  const named = (paths: readonly string[], rights: bigint) =>
    paths.map((path) => ({ path, rights }));
  return {
    paths: [
      ...named(programFolders, read | right.execute),
      ...named([...programSettings, "/proc"], read),
      ...named(devices, right.readFile | right.writeFile | right.truncate),
      ...named(
        [...scope === null ? [] : [scope], ...temporaryFolders],
        read | write | right.execute,
      ),
    ],
    listenPorts: [],
    connectPorts: [],
  };
}

const setsOwner = { anySet: 0o6000 };
/** Without these (O_CREAT, __O_TMPFILE), `open` creates no file and ignores the mode. */
const makesFile = { anySet: 0o100 | 0o20000000 };

/** The socket families that programs need; any other adds attack surface. */
const families = [family.unix, family.internet, family.internet6, family.netlink];

const refusals: Refusal[] = [
  // Calls whose arguments cannot be checked, or that reach beyond namespaces. Programs have
  // fallbacks for them.
  {
    calls: [
      ...["openat2", "io_uring_setup", "bpf", "perf_event_open", "userfaultfd"] as const,
      ...["add_key", "request_key", "keyctl"] as const,
    ],
    error: errorNumber.notThere,
  },
  // AF_VSOCK, for example, reaches the machine's host and other guests: no namespace isolates it.
  {
    calls: ["socket", "socketpair"],
    error: errorNumber.familyNotSupported,
    when: [{ argument: 0, noneOf: families }],
  },
  // Set-user-ID and set-group-ID programs, which other accounts of the machine could then start.
  ...refuseMode(1, "chmod", "fchmod", "mknod", "creat"),
  ...refuseMode(2, "fchmodat", "fchmodat2", "mknodat"),
  {
    calls: ["open"],
    error: errorNumber.notPermitted,
    when: [{ argument: 1, ...makesFile }, { argument: 2, ...setsOwner }],
  },
  {
    calls: ["openat"],
    error: errorNumber.notPermitted,
    when: [{ argument: 2, ...makesFile }, { argument: 3, ...setsOwner }],
  },
];

function refuseMode(argument: number, ...calls: Refusal["calls"]): Refusal[] {
  return [{ calls, error: errorNumber.notPermitted, when: [{ argument, ...setsOwner }] }];
}

/**
 * Prevents this thread, and programs that it executes, from creating set-user-ID programs, which
 * other accounts of the machine could start; from sockets that no namespace isolates; and from
 * calls that would bypass that, or the sandbox.
 *
 * @throws Error when the kernel refuses, or the architecture is not known
 */
export function filterSystemCalls(): void {
  try {
    installFilter("libc.so.6", assembleFilter(refusals), 0n);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot filter system calls: ${reason}`);
  }
}
