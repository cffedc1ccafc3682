/** The Worker that computes checksums, sends long texts, and finds and converts subtitles. */
import { asRefusal } from "../../core/access/os_errors.ts";
import { enterAgain, type SentAccess } from "../../core/access/gate.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { ChecksumName } from "../../../shared/api_types.ts";
import { ProgressMeter, type TransferProgress } from "../transfer/progress.ts";
import { hashFile } from "../content/hash_file.ts";
import { convertSubtitles } from "../subtitles/convert.ts";
import { findSubtitles } from "../listing/find_subtitles.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { serveWorker } from "../../core/concurrency/serve_worker.ts";
import type { StreamCall, WorkerCall } from "../../core/concurrency/worker_call.ts";
import { type FileState, oneAtATime, sendText, stateOf } from "./send_text.ts";

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
