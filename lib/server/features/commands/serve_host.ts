import { dirname } from "node:path";
import { delay } from "../../../shared/delay.ts";
import { jsonOf, readFrames, sendFrame, sendJson } from "./frames.ts";
import type { HostedProgram } from "./hosted_program.ts";
import type { HostGreeting } from "./host_process.ts";
import type { ProgramEnd } from "./protocol.ts";

/** Interval of the checks whether the server is still running, in milliseconds. */
const parentCheckMs = 250;

/** Pause after a failed accept, in milliseconds. */
const acceptPauseMs = 100;

/** A request to a host, on a connection of its own. */
export interface HostCall<Request> {
  request: Request;
  /** Sends a part of the output. */
  send(bytes: Uint8Array): Promise<void>;
  /** Aborted when the server hangs up, to have its program killed. */
  gone: AbortSignal;
}

/** Time for killed programs to be gone when the host ends, in milliseconds. */
const endTimeoutMs = 5_000;

/** The programs that run. */
const running = new Set<HostedProgram>();

/**
 * Serves as the host of the server's programs, until the server ends: listens, says so on the
 * standard output, and answers each connection.
 *
 * @param spec.server the process id of the server
 * @param probe tells why nothing can be run, or null
 * @param answer runs one program; its result is sent as the end
 */
export async function serveHost<Request>(
  spec: { socket: string; server: number },
  probe: () => Promise<string | null>,
  answer: (call: HostCall<Request>) => Promise<object>,
): Promise<never> {
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    await Promise.race([stopAll(), delay(endTimeoutMs)]);
    Deno.removeSync(dirname(spec.socket), { recursive: true });
    Deno.exit(0);
  };
  // A signal to the whole group is left to the server: it lets requests under way finish.
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => {});
  Deno.addSignalListener("SIGHUP", end);
  setInterval(() => Deno.ppid === spec.server || void end(), parentCheckMs);

  const listener = Deno.listen({ transport: "unix", path: spec.socket });
  const greeting: HostGreeting = { refusal: await probe() };
  console.log(JSON.stringify(greeting));
  while (true) {
    try {
      void serve(await listener.accept(), answer);
    } catch {
      // When file descriptors run out, later connections wait.
      await delay(acceptPauseMs);
    }
  }
}

/** Kills all programs, and those whose turn comes then; until then they may write to the folder. */
async function stopAll(): Promise<void> {
  while (running.size > 0) {
    const programs = [...running];
    for (const program of programs) program.stop("gone");
    await Promise.allSettled(programs.map(({ ended }) => ended));
    for (const program of programs) running.delete(program);
  }
}

/** Runs the one program that a connection requests. */
async function serve<Request>(
  connection: Deno.Conn,
  answer: (call: HostCall<Request>) => Promise<object>,
): Promise<void> {
  const frames = readFrames(connection);
  try {
    const { value: frame } = await frames.next();
    if (!frame) return;
    const request = jsonOf<Request>(frame);
    const gone = new AbortController();
    const hangUp = frames.next().catch(() => {}).then(() => gone.abort());
    const send = (bytes: Uint8Array) => sendFrame(connection, "output", bytes);
    await sendJson(connection, "end", await answer({ request, send, gone: gone.signal }));
    await connection.closeWrite();
    await hangUp;
  } catch {
    // The server hung up; its program has been killed.
  } finally {
    connection.close();
  }
}

/** Waits for a program's end; kills it when the signal is aborted, and when the host ends. */
export async function untilEnd(program: HostedProgram, gone: AbortSignal): Promise<ProgramEnd> {
  const stop = () => program.stop("gone");
  running.add(program);
  gone.addEventListener("abort", stop);
  if (gone.aborted) stop();
  try {
    return await program.ended;
  } finally {
    gone.removeEventListener("abort", stop);
    running.delete(program);
  }
}
