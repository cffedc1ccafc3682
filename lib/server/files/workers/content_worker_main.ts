/** The Worker that computes checksums, sends long texts, and finds and converts subtitles. */
import { asRefusal } from "../../core/access/os_errors.ts";
import { enterAgain, type SentAccess } from "../../core/access/gate.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { ChecksumName } from "../../../shared/schemas/choices/choices.ts";
import { ProgressMeter, type TransferProgress } from "../transfer/progress.ts";
import { hashFile } from "../content/checksum.ts";
import { convertSubtitles } from "../subtitles/convert.ts";
import { findSubtitles } from "../listing/find_subtitles.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import {
  serveWorker,
  type StreamCall,
  type WorkerCall,
} from "../../core/concurrency/serve_worker.ts";
import type { Access } from "../../core/access/access.ts";
import { DomainError } from "../../../shared/errors.ts";
import { decoderOf } from "../../../shared/text_decoder.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { etagOf } from "../content/open_content.ts";
import { FileReading } from "../content/file_reading.ts";
import { describeAnyText } from "../content/text_resource.ts";
import { modifiedOf } from "../listing/entries.ts";
import { formatName, markOf, type TextFormat } from "../text/format.ts";

const encoder = new TextEncoder();

/** The idle time after which the worker ends, as a restart takes only some tenths of a second. */
const idleMs = 60_000;

/** A file, and for whom the gate opens. */
interface Target {
  access: SentAccess;
  path: EntryPath;
}

const work = {
  /**
   * The digest of a file's content in hexadecimal digits.
   *
   * @throws {DomainError} `forbidden`, `not_found`, `is_folder`, `not_a_file`
   */
  hash(
    { access, path, algorithm }: Target & { algorithm: ChecksumName },
    call: WorkerCall<never, void, TransferProgress>,
  ): Promise<string> {
    const meter = new ProgressMeter(async (update) => {
      if ("progress" in update) await call.report(update.progress);
    });
    const pauses = new Pauses(call.signal, "low");
    return hashFile(enterAgain(access), path, algorithm, pauses, meter);
  },

  /**
   * Describes a file with its text. Streams the JSON of a `Resource`.
   *
   * @throws {DomainError} `forbidden`, `not_found`, `not_a_file`
   */
  describe({ access, path }: Target, call: StreamCall<FileState>): Promise<void> {
    return sendText(enterAgain(access), path, call);
  },

  /**
   * Converts subtitles to WebVTT.
   *
   * @throws {DomainError} as `describe`; `not_supported` for a file that is too large or not text
   */
  async convert(
    { access, path }: Target,
    { signal }: WorkerCall,
  ): Promise<{ vtt: Uint8Array<ArrayBuffer>; state: FileState }> {
    const pauses = new Pauses(signal);
    const { vtt, info } = await oneAtATime(
      signal,
      () => convertSubtitles(enterAgain(access), path, pauses),
    );
    return { vtt: encoder.encode(vtt), state: stateOf(info) };
  },

  /**
   * The paths of a video's subtitles.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  find({ access, path }: Target): EntryPath[] {
    const entered = enterAgain(access);
    return findSubtitles(entered, entered.stat(path)) ?? [];
  },
};

/** The functions of this worker. */
export type ContentWork = typeof work;

/** Prefixes of error messages. */
const actions: Record<string, string> = {
  hash: "Cannot compute a checksum of",
  describe: "Cannot read",
  convert: "Cannot convert",
  find: "Cannot find the subtitles of",
};

serveWorker(work, {
  idleMs,
  asError: (thrown, name, { path }: Target) => asRefusal(thrown, `${actions[name]} "${path}"`),
});

/** Chunk size of a text that is sent, in bytes of the file. */
const pieceSize = 64 * 1024;

/** The state of a file that an answer is based on. */
interface FileState {
  etag: string;
  /** Milliseconds since the epoch. */
  modified: number;
}

/** The state in a file's facts. */
function stateOf(info: Facts): FileState {
  return { etag: etagOf(info), modified: modifiedOf(info).getTime() };
}

/**
 * Sends the JSON of a file's description with its text, in UTF-8, preceded by the file's state. The
 * file is read twice: as a whole, because only that determines type and encoding; then, with that
 * memory freed, in chunks as the client reads.
 *
 * @throws {DomainError} `forbidden` without the permission to download, `not_found`, `not_a_file`;
 * once the answer has begun, `not_found` for a file that changes
 */
async function sendText(
  access: Access,
  path: EntryPath,
  call: StreamCall<FileState>,
): Promise<void> {
  const pauses = new Pauses(call.signal);
  using file = new FileReading(access.read(path));
  const { resource, info, format, lineEnding } = await oneAtATime(
    call.signal,
    () => describeAnyText(access, path, file, pauses),
  );
  call.open(stateOf(info));
  const json = JSON.stringify(resource);
  if (!format) return await call.send(encoder.encode(json));

  await call.send(encoder.encode(`${json.slice(0, -1)},"content":"`));
  await sendContent(file, format, call);
  if (etagOf(file.info) !== etagOf(info)) {
    throw new DomainError("not_found", `Cannot read "${path}": it changed during the read`);
  }
  const rest = JSON.stringify({ encoding: formatName(format), lineEnding });
  await call.send(encoder.encode(`",${rest.slice(1)}`));
}

/** Sends a file's text as the content of a JSON string. */
async function sendContent(
  file: FileReading,
  { encoding, hasMark }: TextFormat,
  call: StreamCall<FileState>,
): Promise<void> {
  file.seek(hasMark ? markOf(encoding).length : 0);
  // The decoder buffers a character that is cut at the end of a chunk.
  const decoder = decoderOf(encoding);
  const buffer = new Uint8Array(pieceSize);
  do {
    await file.fill(buffer);
    const text = decoder.decode(buffer.subarray(0, file.count), { stream: file.count > 0 });
    if (text !== "") await call.send(encoder.encode(JSON.stringify(text).slice(1, -1)));
  } while (file.count > 0);
}

/** The tail of the queue. */
let last: Promise<void> = Promise.resolve();

/**
 * Serializes work that holds a whole file in memory, with strings made of it: one file at a time,
 * however many callers.
 */
async function oneAtATime<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const before = last;
  const { promise: done, resolve: leave } = Promise.withResolvers<void>();
  last = before.then(() => done);
  try {
    await before;
    signal.throwIfAborted();
    return await work();
  } finally {
    leave();
  }
}
