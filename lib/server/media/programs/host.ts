/**
 * The host of programs that read uploaded files: ffmpeg and poppler. The server itself may start
 * nothing; it asks here, over a socket that no other process can reach, and names one of a few
 * recipes and one of its own open files. The launcher starts the host before it gives up its
 * rights.
 */
import { Concurrency, FairQueue } from "../../concurrency/fair_queue.ts";
import { exitStatus } from "../../commands/exit_status.ts";
import { type HostCall, serveHost, untilEnd } from "../../commands/serve_host.ts";
import { HostedReader } from "./hosted_reader.ts";
import { maxConcurrent, readerLimits } from "./limits.ts";
import type { ReadEnd, ReaderHostSpec, ReadRequest } from "./protocol.ts";
import { recipes } from "./recipes.ts";

const spec: ReaderHostSpec = JSON.parse(Deno.args[0] ?? "");
const queue = new FairQueue({ capacity: new Concurrency(maxConcurrent) });

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

function run({ request, send, gone }: HostCall<ReadRequest>): Promise<ReadEnd> {
  const start = () => read(new HostedReader(request, spec, spec.server, send), gone);
  return queue.run("", 1, start, gone);
}

function read(reader: HostedReader, gone: AbortSignal): Promise<ReadEnd> {
  return untilEnd(reader.ended, () => reader.stop("gone"), gone);
}

await serveHost(spec, probe, run);
