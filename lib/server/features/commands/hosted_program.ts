import { exitStatus } from "./exit_status.ts";
import type { ProgramEnd } from "./protocol.ts";

/** Receives output; until its promise settles, the program waits (back-pressure). */
export type Receive = (bytes: Uint8Array) => Promise<void>;

/** A program and its arguments, as a host starts it. */
export interface Start {
  path: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

/** How a program is run. */
export interface ProgramOptions {
  limits: { timeMs: number; outputBytes: number };
  receive: Receive;
  /**
   * It may leave processes behind that have left its group: they are not waited for. Without it the
   * sandbox ends them all.
   */
  leavesOthers?: boolean;
  /** Whether what it prints on the standard error, at an exit status, tells that it never started. */
  hasFailed(status: number, complaint: string): boolean;
}

/** Timeout for output after the program itself has ended, in milliseconds. */
const outputTimeoutMs = 1_000;

/** The most of a complaint that is kept for the log, in characters. */
const maxComplaintLength = 500;

/** A program that the server's host runs, with all that it has started. */
export class HostedProgram {
  /** Resolves once all its processes are gone and all output was handed on. */
  readonly ended: Promise<ProgramEnd>;
  readonly #child: Deno.ChildProcess | null;
  #stopped: ProgramEnd["stopped"];
  /** Its process is gone, and the id may be reused. */
  #isOver = false;

  /** @param start the program, or why there is none */
  constructor(start: Start | string, options: ProgramOptions) {
    const child = typeof start === "string" ? start : spawn(start);
    if (typeof child === "string") {
      this.#child = null;
      this.ended = Promise.resolve({ status: exitStatus.noSandbox, failure: child });
      return;
    }
    this.#child = child;
    const limit = setTimeout(() => this.stop("time"), options.limits.timeMs);
    this.ended = this.#end(child, options).finally(() => clearTimeout(limit));
  }

  /** Kills its process group, and with the namespace's first process all in the namespace. */
  stop(reason: ProgramEnd["stopped"]): void {
    this.#stopped ??= reason;
    this.#kill();
  }

  #kill(): void {
    if (!this.#child || this.#isOver) return;
    try {
      Deno.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }

  async #end(
    child: Deno.ChildProcess,
    { limits, receive, leavesOthers = false, hasFailed }: ProgramOptions,
  ): Promise<ProgramEnd> {
    const complaint = complaintOf(child.stderr);
    const reader = child.stdout.getReader();
    let timeout: ReturnType<typeof setTimeout> | undefined;
    const status = child.status.finally(() => {
      // Background processes are killed with it. In a sandbox the kernel has done so.
      this.#kill();
      this.#isOver = true;
      if (!leavesOthers) return;
      timeout = setTimeout(() => reader.cancel().catch(() => {}), outputTimeoutMs);
    });
    try {
      let left = limits.outputBytes;
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        if (left > 0) await receive(read.value.subarray(0, left));
        left -= read.value.length;
        if (left < 0) this.stop("output");
      }
    } catch {
      this.stop("gone");
    }
    // A program may close its output, and end later.
    const { code } = await status;
    clearTimeout(timeout);
    const failure = await complaint;
    if (this.#stopped) return { status: exitStatus.killed, stopped: this.#stopped };
    return hasFailed(code, failure) ? { status: exitStatus.noSandbox, failure } : { status: code };
  }
}

/** A module of ours that confines itself, and then becomes the program. */
export function confinedBy(module: string): { args: string[]; env: Record<string, string> } {
  return {
    args: [
      ...[Deno.execPath(), "run", "--quiet", "--cached-only", "--no-config", "--no-lock"],
      ...["--no-prompt", "--allow-all", module],
    ],
    env: { DENO_DIR: Deno.env.get("DENO_DIR") ?? "/tmp", DENO_NO_UPDATE_CHECK: "1" },
  };
}

/** Reads all of what a program complains about, and keeps the beginning. */
async function complaintOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let text = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    if (text.length < maxComplaintLength) text += part;
  }
  return text.slice(0, maxComplaintLength).trim();
}

/** Starts a program, or returns why that is not possible. */
function spawn({ path, args, env, cwd }: Start): Deno.ChildProcess | string {
  const pipes = { stdin: "null", stdout: "piped", stderr: "piped" } as const;
  try {
    return new Deno.Command(path, { args, env, cwd, clearEnv: true, detached: true, ...pipes })
      .spawn();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
