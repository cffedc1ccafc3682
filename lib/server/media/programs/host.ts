/**
 * The host of programs that read uploaded files: ffmpeg and poppler. The server itself may start
 * nothing; it asks here, over a socket that no other process can reach, and names one of a few
 * recipes and one of its own open files. The launcher starts the host before it gives up its rights.
 */
import { dirname } from "node:path";
import { delay } from "../../../shared/delay.ts";
import { Concurrency, FairQueue } from "../../concurrency/fair_queue.ts";
import { exitStatus } from "../../commands/exit_status.ts";
import { jsonOf, readFrames, sendFrame, sendJson } from "../../commands/frames.ts";
import { HostedReader } from "./hosted_reader.ts";
import { mostAtOnce, readerLimits } from "./limits.ts";
import type { ReadEnd, ReaderGreeting, ReaderHostSpec, ReadRequest } from "./protocol.ts";
import { recipes } from "./recipes.ts";

/** Interval of the checks whether the server is still running, in milliseconds. */
const parentCheckMs = 250;

/** Pause after a failed accept, in milliseconds. */
const acceptPauseMs = 100;

const spec: ReaderHostSpec = JSON.parse(Deno.args[0] ?? "");
const queue = new FairQueue({ capacity: new Concurrency(mostAtOnce) });
const running = new Set<HostedReader>();

async function serve(): Promise<void> {
  const listener = Deno.listen({ transport: "unix", path: spec.socket });
  const greeting: ReaderGreeting = { refusal: await probe() };
  console.log(JSON.stringify(greeting));
  while (true) {
    try {
      void answer(await listener.accept());
    } catch {
      await delay(acceptPauseMs);
    }
  }
}

/** Reads an empty file once, to see whether the system has what the sandbox is made of. */
async function probe(): Promise<string | null> {
  const recipe = (["videoFacts", "pdfFacts", "posterAtStart", "firstPage"] as const)
    .find((name) => spec.programs[recipes[name].program] !== undefined);
  if (recipe === undefined) return "no program is installed";
  // The standard input is /dev/null.
  const wanted = { recipe, descriptor: 0 };
  const patient = { ...spec, limits: readerLimits };
  const end = await read(
    new HostedReader(wanted, patient, Deno.pid, () => Promise.resolve()),
    new AbortController().signal,
  );
  return end.failure ?? (end.status === exitStatus.killed ? "a trial took too long" : null);
}

/** Runs the one program that a connection requests. The server hangs up to have it killed. */
async function answer(connection: Deno.Conn): Promise<void> {
  const frames = readFrames(connection);
  try {
    const { value: frame } = await frames.next();
    if (!frame) return;
    const gone = new AbortController();
    const hangUp = frames.next().catch(() => {}).then(() => gone.abort());
    const send = (bytes: Uint8Array) => sendFrame(connection, "output", bytes);
    const request = jsonOf<ReadRequest>(frame);
    const run = () => read(new HostedReader(request, spec, spec.server, send), gone.signal);
    const end = await queue.run("", 1, run, gone.signal);
    await sendJson(connection, "end", end);
    await connection.closeWrite();
    await hangUp;
  } catch {
    // The server hung up; its program has been killed.
  } finally {
    connection.close();
  }
}

/** Waits for a program's end; kills it when the signal is aborted. */
async function read(reader: HostedReader, gone: AbortSignal): Promise<ReadEnd> {
  running.add(reader);
  const kill = () => reader.stop("gone");
  gone.addEventListener("abort", kill);
  if (gone.aborted) kill();
  try {
    return await reader.ended;
  } finally {
    gone.removeEventListener("abort", kill);
    running.delete(reader);
  }
}

function end(): never {
  for (const reader of running) reader.stop("gone");
  Deno.removeSync(dirname(spec.socket), { recursive: true });
  Deno.exit(0);
}

// A signal to the whole group is left to the server: it lets requests under way finish.
for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => {});
Deno.addSignalListener("SIGHUP", end);
setInterval(() => Deno.ppid === spec.server || end(), parentCheckMs);
await serve();
