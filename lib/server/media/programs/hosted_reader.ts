import { fileURLToPath } from "node:url";
import { exitStatus } from "../../commands/exit_status.ts";
import type { ReadEnd, ReaderConfinement, ReaderHostSpec, ReadRequest } from "./protocol.ts";
import { recipes } from "./recipes.ts";

/** Receives output; until its promise settles, the program waits (back-pressure). */
type Receive = (bytes: Uint8Array) => Promise<void>;

const confine = fileURLToPath(new URL("./confine_reader.ts", import.meta.url));

/** Opens the file as the standard input, outside of the sandbox, and becomes the next program. */
const openInput = 'input=$1; shift; exec "$@" <"$input"';

/** The most of a complaint that is kept for the log, in characters. */
const maxComplaintLength = 500;

/** One running program that reads one file. */
export class HostedReader {
  /** Resolves once it is gone and all its output was handed on. */
  readonly ended: Promise<ReadEnd>;
  readonly #child: Deno.ChildProcess | null;
  #stopped: ReadEnd["stopped"];
  #isOver = false;

  /** @param server the id of the process that has the file open */
  constructor(request: ReadRequest, spec: ReaderHostSpec, server: number, receive: Receive) {
    const started = start(request, spec, server);
    if (typeof started === "string") {
      this.#child = null;
      this.ended = Promise.resolve({ status: exitStatus.noSandbox, failure: started });
      return;
    }
    this.#child = started;
    const limit = setTimeout(() => this.stop("time"), spec.limits.timeMs);
    this.ended = this.#end(started, spec, receive).finally(() => clearTimeout(limit));
  }

  /** Kills it. */
  stop(reason: ReadEnd["stopped"]): void {
    this.#stopped ??= reason;
    if (!this.#child || this.#isOver) return;
    try {
      Deno.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }

  async #end(
    child: Deno.ChildProcess,
    { limits }: ReaderHostSpec,
    receive: Receive,
  ): Promise<ReadEnd> {
    const complaint = complaintOf(child.stderr);
    const status = child.status.finally(() => this.#isOver = true);
    try {
      let left = limits.outputBytes;
      for await (const bytes of child.stdout) {
        left -= bytes.length;
        if (left < 0) this.stop("output");
        else await receive(bytes);
      }
    } catch {
      this.stop("gone");
    }
    const { code } = await status;
    const failure = await complaint;
    if (this.#stopped) return { status: exitStatus.killed, stopped: this.#stopped };
    return code === exitStatus.noSandbox ? { status: code, failure } : { status: code };
  }
}

/** Reads all of what a program complains about, and keeps the beginning. */
async function complaintOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let text = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    if (text.length < maxComplaintLength) text += part;
  }
  return text.slice(0, maxComplaintLength).trim();
}

/** Starts it, or returns why that is not possible. */
function start(
  { recipe, descriptor }: ReadRequest,
  { programs, limits }: ReaderHostSpec,
  server: number,
): Deno.ChildProcess | string {
  const { program: name, args } = Object.hasOwn(recipes, recipe)
    ? recipes[recipe]
    : { program: undefined, args: [] };
  const program = name && programs[name];
  if (program === undefined) return "there is no such program";
  if (!Number.isSafeInteger(descriptor) || descriptor < 0) return "there is no such file";
  const confinement: ReaderConfinement = { program, args, limits };
  const command = new Deno.Command("/bin/sh", {
    args: [
      ...["-c", openInput, "sh", `/proc/${server}/fd/${descriptor}`],
      ...[Deno.execPath(), "run", "--quiet", "--cached-only", "--no-config", "--no-lock"],
      ...["--no-prompt", "--allow-all", confine, JSON.stringify(confinement)],
    ],
    env: { DENO_DIR: Deno.env.get("DENO_DIR") ?? "/tmp", DENO_NO_UPDATE_CHECK: "1" },
    clearEnv: true,
    cwd: "/",
    detached: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
  try {
    return command.spawn();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
