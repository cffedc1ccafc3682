/** Real FUSE mounts that hang and die as a test wants. */
import { type ChildProcess, spawn } from "node:child_process";
import { installPackages } from "../run/debian.ts";

/** Longer than any mount takes. */
const limitMs = 30_000;

/** What the kernel tells of FUSE mounts. */
const connections = "/sys/fs/fuse/connections";

const points = new Set<string>();

// No mount stays behind, also when a test ends otherwise than by its end.
addEventListener("unload", () => {
  for (const point of points) new Deno.Command("umount", { args: ["-l", point] }).outputSync();
});

/** A folder mounted at another by a process of its own. */
export interface FuseMount extends AsyncDisposable {
  /**
   * From now on, calls to the mount do not return. No call is cut in two: who waits for an answer
   * to one that was already read can't even be killed.
   */
  hang(): Promise<void>;
  /** They do again. */
  goOn(): void;
  /** Lets system calls of the disk below it fail with EIO, until that is disposed of. */
  fail(...calls: string[]): Promise<AsyncDisposable>;
  /**
   * Waits until it has released all files that were removed while they were open. Until then they
   * have hidden names in the folder below it, and closing them does not wait for that.
   */
  released(): Promise<void>;
  /** Ends the process: calls to the mount fail with ENOTCONN. */
  die(): Promise<void>;
  /** Takes the mount away; the folder is an ordinary one again. */
  unmount(): Promise<void>;
}

/**
 * Sees to it that `bindfs` is there, and installs it where that is possible.
 *
 * @throws Error that says in one line what to install, or that there is no FUSE
 */
export async function ensureFuse(): Promise<void> {
  const advice =
    "Cannot test mounts that hang: install bindfs, fuse3 and strace (on Debian, as root: " +
    "apt-get install bindfs fuse3 strace)";
  if (!["bindfs", "fusermount3", "strace"].every(isThere)) {
    await installPackages(["bindfs", "fuse3", "strace"], advice);
  }
  try {
    Deno.openSync("/dev/fuse", { read: true, write: true }).close();
  } catch (error) {
    throw new Error(`Cannot test mounts that hang: /dev/fuse can't be used (${error})`);
  }
  if (!isMounted(connections)) {
    await new Deno.Command("mount", { args: ["-t", "fusectl", "fusectl", connections] }).output();
  }
}

/**
 * Mounts a folder at another; nothing of it is cached.
 *
 * @param flags more of bindfs
 */
export async function mountFuse(
  source: string,
  point: string,
  ...flags: string[]
): Promise<FuseMount> {
  const options = "attr_timeout=0,entry_timeout=0,negative_timeout=0,nonempty,big_writes";
  const child = spawn("bindfs", ["-f", "--multithreaded", ...flags, "-o", options, source, point], {
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const deadline = Date.now() + limitMs;
  points.add(point);
  while (!isMounted(point)) {
    if (Date.now() > deadline || child.exitCode !== null) {
      throw new Error(`Cannot mount "${source}" at "${point}": bindfs ended or took too long`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }

  async function unmount(): Promise<void> {
    signal(child, "SIGCONT");
    // Lazily: whatever still uses the mount must not keep it.
    while (isMounted(point)) await new Deno.Command("umount", { args: ["-l", point] }).output();
    points.delete(point);
    signal(child, "SIGKILL");
    await ended;
  }

  const waiting = `${connections}/${deviceOf(point)}/waiting`;

  return {
    async hang() {
      const deadline = Date.now() + limitMs;
      await stop(child);
      while (Number(Deno.readTextFileSync(waiting)) > 0) {
        if (Date.now() > deadline) throw new Error(`"${point}" is in use all the time`);
        signal(child, "SIGCONT");
        await new Promise((resolve) => setTimeout(resolve, 5));
        await stop(child);
      }
    },
    goOn: () => signal(child, "SIGCONT"),
    fail: (...calls) => failing(child, calls),
    async released() {
      const deadline = Date.now() + limitMs;
      while ([...Deno.readDirSync(source)].some(({ name }) => name.startsWith(".fuse_hidden"))) {
        if (Date.now() > deadline) throw new Error(`"${point}" keeps a removed file open`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    async die() {
      signal(child, "SIGKILL");
      await ended;
    },
    unmount,
    [Symbol.asyncDispose]: unmount,
  };
}

/** Has calls of a process fail. It is traced for that. */
async function failing({ pid }: ChildProcess, calls: string[]): Promise<AsyncDisposable> {
  const names = calls.join(",");
  const tracing = ["-e", `trace=${names}`, "-e", `inject=${names}:error=EIO`, "-o", "/dev/null"];
  const tracer = new Deno.Command("strace", {
    args: ["-f", "-p", String(pid), ...tracing],
    stdout: "null",
    stderr: "piped",
  }).spawn();
  // It says so when it has the process.
  const told = tracer.stderr.getReader();
  const { value } = await told.read();
  const text = new TextDecoder().decode(value);
  if (!text.includes("attached")) throw new Error(`Cannot trace ${pid}: ${text}`);
  return {
    async [Symbol.asyncDispose]() {
      tracer.kill("SIGTERM");
      await tracer.status;
      await told.cancel();
    },
  };
}

/** Stops a process; a thread that has not noticed yet would still read the next call. */
async function stop(child: ChildProcess): Promise<void> {
  signal(child, "SIGSTOP");
  while (isAlive(child) && !isStopped(`/proc/${child.pid}/task`)) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Whether all threads are stopped, as proc(5) tells; one that ends meanwhile is looked for again. */
function isStopped(tasks: string): boolean {
  try {
    return [...Deno.readDirSync(tasks)].every(({ name }) =>
      /^\d+ \(.*\) T /.test(Deno.readTextFileSync(`${tasks}/${name}/stat`))
    );
  } catch {
    return false;
  }
}

function isAlive({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

function signal(child: ChildProcess, name: Deno.Signal): void {
  if (child.pid !== undefined && isAlive(child)) Deno.kill(child.pid, name);
}

function isMounted(point: string): boolean {
  return mountOf(point) !== undefined;
}

/** The minor number of the device of a mount: the name of its connection. */
function deviceOf(point: string): string | undefined {
  return mountOf(point)?.[2]?.split(":")[1];
}

/** The fields of a mount in `mountinfo`, as proc(5) numbers them from one. */
function mountOf(point: string): string[] | undefined {
  const lines = Deno.readTextFileSync("/proc/self/mountinfo").split("\n");
  return lines.map((line) => line.split(" ")).find((fields) => fields[4] === point);
}

function isThere(program: string): boolean {
  return (Deno.env.get("PATH") ?? "").split(":").some((folder) => {
    try {
      return Deno.statSync(`${folder}/${program}`).isFile;
    } catch {
      return false;
    }
  });
}
