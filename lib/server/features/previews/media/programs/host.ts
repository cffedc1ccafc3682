/**
 * The host of programs that read uploaded files: ffmpeg and poppler. The server itself may start
 * nothing; it asks here, over a socket that no other process can reach, and names one of a few
 * recipes and one of its own open files. The launcher starts the host before it gives up its
 * rights.
 */
import { dirname, join } from "node:path";
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
import { maxConcurrent, maxStreams, officeLimits, readerLimits, streamLimits } from "./limits.ts";
import { renderDevices } from "../../../../core/sandbox/encoder_devices.ts";
import { EncoderFallback } from "../streams/encoder_fallback.ts";
import { checkSegmentRequest, type SegmentEnd, Stopped } from "../streams/segments.ts";
import { type Convert, WatchedStreams } from "../streams/watched_streams.ts";
import type { HostRequest, ReaderConfinement, ReaderHostSpec, ReadRequest } from "./protocol.ts";
import { argsOf, isEncoded, recipeOf, recipes } from "./recipes.ts";
import type { EncoderUse } from "./video_encoding.ts";
import { watchDisk } from "./watch_disk.ts";

const confine = fileURLToPath(new URL("./confine_reader.ts", import.meta.url));

/** The status by which LibreOffice asks to be started again, as it does with a new profile. */
const startAgain = 81;

/** Opens the file as the standard input, outside of the sandbox, and becomes the next program. */
const openInput = 'input=$1; shift; exec "$@" <"$input"';

const spec: ReaderHostSpec = JSON.parse(Deno.args[0] ?? "");
const queue = new FairQueue({ capacity: new Concurrency(maxConcurrent) });
/** One at a time: each takes a processor for seconds, and some hundred MB. */
const officeQueue = new FairQueue({ capacity: new Concurrency(1) });
/** One at a time: it reads as fast as the disk does. */
const wholeQueue = new FairQueue({ capacity: new Concurrency(1) });

const watched = { ...spec, limits: { ...streamLimits, ...spec.streamLimits } };

/** Of what the server takes as a whole. */
const atOnce = { ...watched.limits, outputBytes: readerLimits.outputBytes };

/** The size of the parts in which a segment is sent, in bytes. */
const sentBytes = 256 * 1024;

/** What programs are run with, besides what the server asks for. */
interface Running extends ReaderHostSpec {
  /** Who encodes the pictures of a film. */
  use?: EncoderUse;
  /** Takes what a program complains about. */
  complain?(text: string): void;
}

const encoders = new EncoderFallback(spec.videoEncoder ?? "libx264");

/** Converts a film from a place on, for as long as it is watched. */
const convert: Convert = ({ file }, { start, offset }, receive, signal) => {
  const request = { ...file, numbers: { ...file.numbers, start, offset } };
  if (!isEncoded(file.recipe)) return runOne(request, watched, receive, signal);
  const isMixed = (spec.videoEncoder ?? "libx264") !== "libx264";
  return encoders.run((encoder, given, complain) => {
    const use = { encoder, device: isMixed ? renderDevices()[0] : undefined, isMixed };
    return runOne(request, { ...watched, use, complain }, given, signal);
  }, receive);
};

const streams = new WatchedStreams(convert, maxStreams);

/** Reads an empty file once, to see whether the system has what the sandbox is made of. */
async function probe(): Promise<string | null> {
  const recipe = (["videoFacts", "pdfFacts", "posterAtStart", "firstPage", "officePdf"] as const)
    .find((name) => spec.programs[recipes[name].program] !== undefined);
  if (recipe === undefined) return "no program is installed";
  // The standard input is /dev/null.
  const wanted = { recipe, descriptor: 0 };
  const patient = { ...spec, limits: readerLimits, server: Deno.pid };
  const end = await runOne(
    wanted,
    patient,
    () => Promise.resolve(),
    new AbortController().signal,
  );
  return end.failure ?? (end.status === exitStatus.killed ? "a trial took too long" : null);
}

function run({ request, send, gone }: HostCall<HostRequest>): Promise<object> {
  if ("place" in request) return Promise.resolve({ place: streams.place(request.place) });
  if (request.segment) return sendSegment(request, send, gone);
  const recipe = recipeOf(request.recipe);
  if (recipe?.reads === "atOnce") {
    return wholeQueue.run(
      "",
      1,
      () => runOne(request, { ...watched, limits: atOnce }, send, gone),
      gone,
    );
  }
  return (recipe?.output === undefined ? queue : officeQueue)
    .run("", 1, () => runOne(request, spec, send, gone), gone);
}

/** Sends a segment of a stream, which others may watch, too. */
async function sendSegment(
  request: ReadRequest,
  send: Receive,
  gone: AbortSignal,
): Promise<SegmentEnd> {
  const { segment } = request;
  if (!segment || recipeOf(request.recipe)?.reads !== "watched") return { why: "unrunnable" };
  try {
    checkSegmentRequest(segment);
    const bytes = await streams.segment({ ...segment, file: request }, gone);
    for (let at = 0; at < bytes.length; at += sentBytes) {
      await send(bytes.subarray(at, at + sentBytes));
    }
    return { log: encoders.takeNote() };
  } catch (error) {
    if (error instanceof Stopped) return { why: error.why, failure: error.failure };
    throw error;
  }
}

/** Runs a program that reads one file, which the process `from.server` has open. */
async function runOne(
  request: ReadRequest,
  from: Running,
  receive: Receive,
  gone: AbortSignal,
): Promise<ProgramEnd> {
  const output = recipeOf(request.recipe)?.output;
  if (output === undefined) return await untilEnd(reader(request, from, receive), gone);
  const folder = Deno.makeTempDirSync({ dir: dirname(spec.socket), prefix: "office-" });
  try {
    const limits = { ...officeLimits, ...spec.officeLimits };
    const ignore = () => Promise.resolve();
    const once = async () => {
      const program = reader(request, { ...from, limits }, ignore, folder);
      using _watch = watchDisk(program, folder, limits.diskBytes);
      return await untilEnd(program, gone);
    };
    const first = await once();
    const end = first.status === startAgain ? await once() : first;
    if (end.status !== 0) return end;
    return await sendMade(join(folder, output), limits.outputBytes, receive) ?? end;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Sends a file that a program has made. @returns another end where it must not be sent */
async function sendMade(
  path: string,
  maxBytes: number,
  receive: Receive,
): Promise<ProgramEnd | null> {
  const failed = { status: 1 };
  // The program has ended, and was not able to make links.
  const facts = await Deno.lstat(path).catch(() => null);
  if (!facts?.isFile) return failed;
  if (facts.size > maxBytes) return { status: exitStatus.killed, stopped: "output" };
  using file = await Deno.open(path);
  const buffer = new Uint8Array(64 * 1024);
  for (let read = await file.read(buffer); read !== null; read = await file.read(buffer)) {
    await receive(buffer.subarray(0, read));
  }
  return null;
}

/** A program that reads one file, which the process `from.server` has open. */
function reader(
  request: ReadRequest,
  from: Running,
  receive: Receive,
  folder?: string,
): HostedProgram {
  return new HostedProgram(startOf(request, from, folder), {
    ...{ limits: from.limits, receive },
    hasFailed(status, complaint) {
      from.complain?.(complaint);
      return status === exitStatus.noSandbox;
    },
  });
}

function startOf(
  request: ReadRequest,
  { programs, limits, server, use }: Running,
  folder?: string,
): Start | string {
  const { descriptor, extension = "", numbers, state } = request;
  const recipe = recipeOf(request.recipe, use);
  const program = recipe && programs[recipe.program];
  if (recipe === undefined || program === undefined) return "there is no such program";
  const args = argsOf(recipe, numbers);
  if (!Number.isSafeInteger(descriptor) || descriptor < 0) return "there is no such file";
  if (!/^(\.[a-z0-9]{1,8})?$/.test(extension)) return "there is no such kind of file";
  const { args: confined, env } = confinedBy(confine);
  const inside = folder === undefined ? null : { folder, input: `input${extension}` };
  const confinement: ReaderConfinement = {
    program,
    limits,
    args: inside
      ? args.map((arg) =>
        arg.replaceAll("{folder}", inside.folder).replaceAll("{input}", inside.input)
      )
      : args,
    ...{ state, encoder: use?.encoder },
    ...inside && { scratch: inside },
  };
  const input = `/proc/${server}/fd/${descriptor}`;
  return {
    path: "/bin/sh",
    args: ["-c", openInput, "sh", input, ...confined, JSON.stringify(confinement)],
    ...{ env, cwd: "/" },
  };
}

await serveHost(spec, probe, run);
