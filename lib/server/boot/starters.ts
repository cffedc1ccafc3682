/**
 * The programs that start the server and wait for it: `npx`, `npm run`, `deno task`.
 * A supervisor signals them, and npm ends without passing the signal on.
 */
import { libc as diskLibc } from "../core/disk/libc.ts";
import type { Libc } from "../core/sandbox/libc.ts";

/** Interval of the check that they live, in milliseconds. */
const checkMs = 500;

/** `pidfd_open`, the same number on every architecture. */
const pidfdOpen = 434n;
/** F_SETFD. */
const writeFlags = 2;
/** POLLIN: the process has ended. */
const readable = 1;
/** The size of `struct pollfd`. */
const entryBytes = 8;

/** Package managers, by the name of their program or script. */
const manager = /^(?:p?np[mx]|yarn(?:pkg)?|bunx?)(?:-cli)?(?:\.[cm]?js)?$/;
/** The script by which the npm package `deno` starts Deno. */
const denoScript = /^(?:deno|bin\.cjs)$/;
const shell = /^(?:sh|dash|bash)$/;

/** A process as `/proc` shows it. */
interface Process {
  parent: number;
  session: number;
  /** The words of its command line. */
  words: string[];
}

/**
 * Opens a descriptor of each program that started this process and waits for it. They are in one
 * session, from this process upwards, with nothing but shells between them: whoever starts the
 * server in the background by a shell, `nohup` or `setsid` is none of them.
 *
 * @returns none without pidfds (Linux 5.3)
 */
export function openStarters(libc: Libc | null): number[] {
  const own = processAt(Deno.pid);
  const descriptors: number[] = [];
  if (!libc || !own) return descriptors;
  for (let pid = own.parent; pid > 1;) {
    const process = processAt(pid);
    if (process?.session !== own.session) break;
    if (isStarter(process)) {
      const descriptor = libc.pidfdOpen(pidfdOpen, pid, 0);
      if (descriptor >= 0) descriptors.push(descriptor);
    } else if (!shell.test(nameOf(process.words[0]))) break;
    pid = process.parent;
  }
  return descriptors;
}

/** Keeps descriptors open when this process becomes another program. */
export function keepOpen(libc: Libc, descriptors: readonly number[]): void {
  for (const descriptor of descriptors) libc.fcntl(descriptor, writeFlags, 0);
}

/**
 * Calls back once when one of the programs has ended.
 *
 * @param starters as {@linkcode openStarters} returned them to the launcher
 */
export function watchStarters(starters: readonly number[], onEnd: () => void): void {
  if (!diskLibc || starters.length === 0) return;
  const { poll } = diskLibc;
  const entries = new DataView(new ArrayBuffer(starters.length * entryBytes));
  const timer = setInterval(() => {
    for (const [index, descriptor] of starters.entries()) {
      entries.setInt32(index * entryBytes, descriptor, true);
      entries.setInt32(index * entryBytes + 4, readable, true);
    }
    if (poll(new Uint8Array(entries.buffer), BigInt(starters.length), 0) <= 0) return;
    clearInterval(timer);
    onEnd();
  }, checkMs);
}

function isStarter({ words: [program, ...args] }: Process): boolean {
  const name = nameOf(program);
  const word = args.find((arg) => !arg.startsWith("-"));
  if (name === "node") return manager.test(nameOf(word)) || denoScript.test(nameOf(word));
  return manager.test(name) || (name === "deno" && word === "task");
}

/** null for a process that has ended or is another account's. */
function processAt(pid: number): Process | null {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    // Behind the name, which may have any character.
    const [, parent, , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number);
    if (parent === undefined || session === undefined) return null;
    // npm writes its title as one word.
    const words = Deno.readTextFileSync(`/proc/${pid}/cmdline`).split(/[\0 ]+/);
    return { parent, session, words };
  } catch {
    return null;
  }
}

function nameOf(path = ""): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
