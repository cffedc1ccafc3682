import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { etagOf } from "../content/etag.ts";
import { FileReading } from "../content/file_reading.ts";
import { describeAnyText } from "../content/text_resource.ts";
import { modifiedOf } from "../listing/entries.ts";
import { formatName, markOf, type TextFormat } from "../text/format.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import type { StreamCall } from "../../core/concurrency/worker_call.ts";

/** Chunk size of a text that is sent, in bytes of the file. */
const pieceSize = 64 * 1024;

const encoder = new TextEncoder();

/** The state of a file that an answer is based on. */
export interface FileState {
  etag: string;
  /** Milliseconds since the epoch. */
  modified: number;
}

/** The state in a file's facts. */
export function stateOf(info: Facts): FileState {
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
export async function sendText(
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
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
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
export async function oneAtATime<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
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
