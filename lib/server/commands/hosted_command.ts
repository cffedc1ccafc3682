import { exitStatus } from "./exit_status.ts";
import type { CommandEnd, CommandRequest, HostSpec } from "./protocol.ts";
import { bareStart, sandboxedStart, type Start } from "./sandboxed_command.ts";

/** Receives output; until its promise settles, the command waits (back-pressure). */
type Receive = (bytes: Uint8Array) => Promise<void>;

/** Timeout for output after the command itself has ended, in milliseconds. */
const outputTimeoutMs = 1_000;

const unsharePlaces = ["/usr/bin/unshare", "/bin/unshare"];

/** One running command with all that it has started. */
export class HostedCommand {
  /** Resolves once all its processes are gone and all output was handed on. */
  readonly ended: Promise<CommandEnd>;
  readonly #child: Deno.ChildProcess | null;
  #stopped: CommandEnd["stopped"];
  /** Its process is gone, and the id may be reused. */
  #isOver = false;

  constructor(request: CommandRequest, spec: HostSpec, receive: Receive) {
    const started = start(request, spec);
    if (typeof started === "string") {
      this.#child = null;
      this.ended = Promise.resolve({ status: exitStatus.noSandbox, failure: started });
      return;
    }
    this.#child = started;
    const limit = setTimeout(() => this.#stop("time"), spec.limits.timeMs);
    this.ended = this.#end(started, spec, receive).finally(() => clearTimeout(limit));
  }

  /** Kills its process group, and with the namespace's first process all in the namespace. */
  kill(): void {
    if (!this.#child || this.#isOver) return;
    try {
      Deno.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }

  #stop(reason: "time" | "output"): void {
    this.#stopped ??= reason;
    this.kill();
  }

  async #end(child: Deno.ChildProcess, spec: HostSpec, receive: Receive): Promise<CommandEnd> {
    const complaint = new Response(child.stderr).text();
    const reader = child.stdout.getReader();
    let timeout: ReturnType<typeof setTimeout> | undefined;
    const status = child.status.finally(() => {
      // Background processes are killed with it. In a sandbox the kernel has done so; without one
      // some may have left its process group, and must not be waited for.
      this.kill();
      this.#isOver = true;
      if (spec.sandbox === "none") {
        timeout = setTimeout(() => reader.cancel().catch(() => {}), outputTimeoutMs);
      }
    });
    try {
      let left = spec.limits.outputBytes;
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        if (left > 0) await receive(read.value.subarray(0, left));
        left -= read.value.length;
        if (left < 0) this.#stop("output");
      }
    } catch (error) {
      this.kill();
      throw error;
    }
    // A program may close its output, and end later.
    const { code } = await status;
    clearTimeout(timeout);
    const failure = (await complaint).trim();
    if (this.#stopped) return { status: exitStatus.killed, stopped: this.#stopped };
    return failure === "" || code === 0
      ? { status: code }
      : { status: exitStatus.noSandbox, failure };
  }
}

/** Starts it, or returns why that is not possible. */
function start(request: CommandRequest, spec: HostSpec): Deno.ChildProcess | string {
  const how = howToStart(request, spec);
  if (typeof how === "string") return how;
  const { path, args, env, cwd } = how;
  const pipes = { stdin: "null", stdout: "piped", stderr: "piped" } as const;
  try {
    return new Deno.Command(path, { args, env, cwd, clearEnv: true, detached: true, ...pipes })
      .spawn();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function howToStart(request: CommandRequest, spec: HostSpec): Start | string {
  if (spec.sandbox === "none") return bareStart(request);
  if (Deno.build.os !== "linux") return "only Linux supports the sandbox";
  const unshare = unsharePlaces.find(isThere);
  if (unshare === undefined) return "unshare (util-linux) is not installed";
  return sandboxedStart(request, spec.limits, unshare);
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
