/**
 * The host of programs that read uploaded files: ffmpeg and poppler. The server itself may start
 * nothing; it asks here, over a socket that no other process can reach, and names one of a few
 * recipes and one of its own open files. The launcher starts the host before it gives up its
 * rights.
 */
import { fileURLToPath } from "node:url";
import { Concurrency, FairQueue } from "../../../../core/concurrency/fair_queue.ts";
import { exitStatus } from "../../../commands/exit_status.ts";
import {
  confinedBy,
  HostedProgram,
  type Receive,
  type Start,
} from "../../../commands/hosted_program.ts";
import type { ProgramEnd } from "../../../commands/protocol.ts";
import { type HostCall, serveHost, untilEnd } from "../../../commands/serve_host.ts";
import { maxConcurrent, readerLimits } from "./limits.ts";
import type { ReaderConfinement, ReaderHostSpec, ReadRequest } from "./protocol.ts";
import { recipes } from "./recipes.ts";

const confine = fileURLToPath(new URL("./confine_reader.ts", import.meta.url));

/** Opens the file as the standard input, outside of the sandbox, and becomes the next program. */
const openInput = 'input=$1; shift; exec "$@" <"$input"';

const spec: ReaderHostSpec = JSON.parse(Deno.args[0] ?? "");
const queue = new FairQueue({ capacity: new Concurrency(maxConcurrent) });

/** Reads an empty file once, to see whether the system has what the sandbox is made of. */
async function probe(): Promise<string | null> {
  const recipe = (["videoFacts", "pdfFacts", "posterAtStart", "firstPage"] as const)
    .find((name) => spec.programs[recipes[name].program] !== undefined);
  if (recipe === undefined) return "no program is installed";
  // The standard input is /dev/null.
  const wanted = { recipe, descriptor: 0 };
  const patient = { ...spec, limits: readerLimits, server: Deno.pid };
  const end = await untilEnd(
    reader(wanted, patient, () => Promise.resolve()),
    new AbortController().signal,
  );
  return end.failure ?? (end.status === exitStatus.killed ? "a trial took too long" : null);
}

function run({ request, send, gone }: HostCall<ReadRequest>): Promise<ProgramEnd> {
  return queue.run("", 1, () => untilEnd(reader(request, spec, send), gone), gone);
}

/** A program that reads one file, which the process `from.server` has open. */
function reader(request: ReadRequest, from: ReaderHostSpec, receive: Receive): HostedProgram {
  return new HostedProgram(startOf(request, from), {
    ...{ limits: from.limits, receive },
    hasFailed: (status) => status === exitStatus.noSandbox,
  });
}

function startOf(
  { recipe, descriptor }: ReadRequest,
  { programs, limits, server }: ReaderHostSpec,
): Start | string {
  const { program: name, args } = Object.hasOwn(recipes, recipe)
    ? recipes[recipe]
    : { program: undefined, args: [] };
  const program = name && programs[name];
  if (program === undefined) return "there is no such program";
  if (!Number.isSafeInteger(descriptor) || descriptor < 0) return "there is no such file";
  const confinement: ReaderConfinement = { program, args, limits };
  const { args: confined, env } = confinedBy(confine);
  const input = `/proc/${server}/fd/${descriptor}`;
  return {
    path: "/bin/sh",
    args: ["-c", openInput, "sh", input, ...confined, JSON.stringify(confinement)],
    ...{ env, cwd: "/" },
  };
}

await serveHost(spec, probe, run);
