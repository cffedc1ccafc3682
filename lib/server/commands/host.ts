/**
 * The command host: the one process that starts commands for users. The server itself is not
 * allowed to run anything; it asks here, over a socket that no other process can reach. The
 * launcher starts the host before it gives up its rights, since commands get namespaces of their
 * own, and a process in a Landlock domain cannot mount anything in them.
 */
import { delay } from "../../shared/delay.ts";
import { CostPerOwner, FairQueue } from "../concurrency/fair_queue.ts";
import { HostedCommand } from "./hosted_command.ts";
import { refuseRequest } from "./check_request.ts";
import { jsonOf, readFrames, sendFrame, sendJson } from "./frames.ts";
import { probeSandbox } from "./probe_sandbox.ts";
import type { CommandEnd, CommandRequest, HostGreeting, HostSpec } from "./protocol.ts";
import { mostAtOnce } from "./limits.ts";
import { exitStatus } from "./exit_status.ts";
import { dirname } from "node:path";

/** Interval of the checks whether the server is still running, in milliseconds. */
const parentCheckMs = 250;

/** Pause after a failed accept, in milliseconds. */
const acceptPauseMs = 100;

const spec: HostSpec = JSON.parse(Deno.args[0] ?? "");
const queue = new FairQueue({ capacity: new CostPerOwner(mostAtOnce) });
const running = new Set<HostedCommand>();

async function serve(): Promise<void> {
  const listener = Deno.listen({ transport: "unix", path: spec.socket });
  const greeting: HostGreeting = { refusal: await probeSandbox(spec) };
  console.log(JSON.stringify(greeting));
  while (true) await answerNext(listener);
}

/** Accepts the next connection. When file descriptors run out, later ones wait. */
async function answerNext(listener: Deno.Listener): Promise<void> {
  try {
    void answer(await listener.accept());
  } catch {
    await delay(acceptPauseMs);
  }
}

/** Runs the one command that a connection requests. The server hangs up to have it killed. */
async function answer(connection: Deno.Conn): Promise<void> {
  const frames = readFrames(connection);
  try {
    const { value: frame } = await frames.next();
    if (!frame) return;
    const request = jsonOf<CommandRequest>(frame);
    const gone = new AbortController();
    const hangUp = frames.next().catch(() => {}).then(() => gone.abort());
    await sendJson(connection, "end", await run(connection, request, gone.signal));
    await connection.closeWrite();
    await hangUp;
  } catch {
    // The server hung up; its command has been killed.
  } finally {
    connection.close();
  }
}

async function run(
  connection: Deno.Conn,
  request: CommandRequest,
  gone: AbortSignal,
): Promise<CommandEnd> {
  const refusal = refuseRequest(request, spec);
  if (refusal !== null) return { status: exitStatus.refused, refusal };
  return await queue.run(request.queue, 1, () => start(connection, request, gone));
}

async function start(
  connection: Deno.Conn,
  request: CommandRequest,
  gone: AbortSignal,
): Promise<CommandEnd> {
  if (gone.aborted) return { status: exitStatus.killed };
  const command = new HostedCommand(
    request,
    spec,
    (bytes) => sendFrame(connection, "output", bytes),
  );
  running.add(command);
  const kill = () => command.kill();
  gone.addEventListener("abort", kill);
  try {
    return await command.ended;
  } finally {
    gone.removeEventListener("abort", kill);
    running.delete(command);
  }
}

function end(): never {
  for (const command of running) command.kill();
  Deno.removeSync(dirname(spec.socket), { recursive: true });
  Deno.exit(0);
}

// A signal to the whole group is left to the server: it lets requests under way finish.
for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => {});
Deno.addSignalListener("SIGHUP", end);
setInterval(() => Deno.ppid === spec.server || end(), parentCheckMs);
await serve();
