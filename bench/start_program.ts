/** Starts a server to be measured. */
import { memoryOf, processorTimeOf } from "./memory.ts";
import { freePort } from "./nginx.ts";

/** A server that was started by its program. Its disposal ends it. */
export interface StartedProgram extends AsyncDisposable {
  url: string;
  /** From the command to the first answer, in seconds. */
  startSeconds: number;
  /** The memory of all its processes, as of `memoryOf()`. */
  memory(kind?: "Pss" | "Rss"): number;
  /** The processor time of all its processes so far, as of `processorTimeOf`. */
  processorTime(): number;
}

/** Starts a program on a free port of the loopback and waits for its first answer. */
export async function startProgram(
  program: string,
  argsFor: (port: number) => string[],
  options: {
    cwd?: string;
    env?: Record<string, string> | ((port: number) => Record<string, string>);
  } = {},
): Promise<StartedProgram> {
  const port = freePort();
  const { cwd, env = {} } = options;
  const args = argsFor(port);
  const begun = performance.now();
  const child = new Deno.Command(program, {
    args,
    cwd,
    env: typeof env === "function" ? env(port) : env,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const stop = async () => {
    try {
      child.kill("SIGTERM");
    } catch (error) {
      // It has ended by itself.
      if (!(error instanceof TypeError)) throw error;
    }
    await child.status;
  };
  const url = `http://127.0.0.1:${port}`;
  if (!await answers(url, begun + 30_000)) {
    await stop();
    throw new Error(`Cannot start ${program}: it does not answer`);
  }
  return {
    url,
    startSeconds: (performance.now() - begun) / 1000,
    memory: (kind) => memoryOf(child.pid, kind),
    processorTime: () => processorTimeOf(child.pid),
    [Symbol.asyncDispose]: stop,
  };
}

async function answers(url: string, until: number): Promise<boolean> {
  while (performance.now() < until) {
    try {
      const answer = await fetch(url, { redirect: "manual" });
      await answer.body?.cancel();
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  return false;
}
