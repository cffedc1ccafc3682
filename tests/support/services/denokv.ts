/** A real KV Connect server, the `denokv` of crates.io. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { delay } from "../../../lib/shared/delay.ts";

/** What to do where it is missing. */
export const denokvAdvice = "install denokv (cargo install denokv --locked), on PATH or in DENOKV";

/** Longer than any start takes. */
const limitMs = 30_000;

/** A running server. */
export interface RunningStore extends AsyncDisposable {
  /** Its URL, of http on this machine. */
  url: string;
  /** Its process id, until it is ended. */
  pid(): number;
  /** Ends it at once; `start` has it go on at the same place with the same records. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Has it answer nothing, and go on. */
  freeze(): void;
  goOn(): void;
}

/** The program; null where there is none. */
export function findDenokv(): string | null {
  const named = Deno.env.get("DENOKV");
  if (named) return named;
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  const home = Deno.env.get("HOME");
  const others = [...home ? [`${home}/.cargo/bin`] : [], "/opt/denokv/bin"];
  return [...folders, ...others].map((folder) => join(folder, "denokv")).find(isFile) ?? null;
}

/**
 * Starts a server with no records, and has this process, and what it starts, use its token.
 *
 * @param folder for its file
 * @throws Error that says what to install
 */
export async function startDenokv(folder: string): Promise<RunningStore> {
  const program = findDenokv();
  if (program === null) throw new Error(`Cannot test several nodes: ${denokvAdvice}`);
  Deno.env.set("DENO_KV_ACCESS_TOKEN", "a token of the tests");
  const port = freePort();
  const args = ["--sqlite-path", join(folder, "denokv.sqlite"), "serve"];
  const address = ["--addr", `127.0.0.1:${port}`];
  let child: ChildProcess;
  let ended: Promise<void>;

  async function start(): Promise<void> {
    const log = openSync(join(folder, "denokv.txt"), "a");
    child = spawn(program ?? "", [...args, ...address], { stdio: ["ignore", log, log] });
    closeSync(log);
    ended = new Promise((resolve) => child.once("exit", () => resolve()));
    const deadline = Date.now() + limitMs;
    while (!await isListening(port)) {
      if (Date.now() > deadline || child.exitCode !== null) {
        throw new Error(Deno.readTextFileSync(join(folder, "denokv.txt")));
      }
      await delay(10);
    }
  }
  async function kill(): Promise<void> {
    signal(child, "SIGCONT");
    signal(child, "SIGKILL");
    await ended;
  }

  await start();
  return {
    ...{ url: `http://127.0.0.1:${port}`, start, kill, [Symbol.asyncDispose]: kill },
    pid: () => child.pid ?? 0,
    freeze: () => signal(child, "SIGSTOP"),
    goOn: () => signal(child, "SIGCONT"),
  };
}

async function isListening(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch {
    return false;
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

function signal(child: ChildProcess, name: Deno.Signal): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  Deno.kill(child.pid, name);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
