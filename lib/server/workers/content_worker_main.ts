/** The Worker that computes checksums, sends long texts, and finds and converts subtitles. */
import type { Access } from "../access/access.ts";
import { Gate } from "../access/gate.ts";
import { asRefusal } from "../access/os_errors.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { ChecksumName } from "../../shared/api_types.ts";
import { ProgressMeter, type TransferProgress } from "../files/transfer/progress.ts";
import { hashFile } from "../files/content/hash_file.ts";
import { convertSubtitles } from "../subtitles/convert.ts";
import { findSubtitles } from "../files/listing/find_subtitles.ts";
import { type CallTarget, type FileState, stateOf } from "./file_calls.ts";
import { Pauses } from "../concurrency/pauses.ts";
import { serveWorker } from "../concurrency/serve_worker.ts";
import type { WorkerCall } from "../concurrency/worker_call.ts";
import { oneAtATime, sendText } from "./send_text.ts";

const encoder = new TextEncoder();

/** The idle time after which the worker ends, as a restart takes only some tenths of a second. */
const idleMs = 60_000;

const work = {
  hash(
    { target, algorithm }: { target: CallTarget; algorithm: ChecksumName },
    call: WorkerCall<null, void, TransferProgress>,
  ): Promise<string> {
    const meter = new ProgressMeter(async (update) => {
      if ("progress" in update) await call.report(update.progress);
    });
    const pauses = new Pauses(call.signal, "low");
    return hashFile(enter(target), target.path, algorithm, pauses, meter);
  },

  /** Streams the JSON of a `Resource` with its text. */
  describe({ target }: { target: CallTarget }, call: WorkerCall<FileState>): Promise<void> {
    return sendText(enter(target), target.path, call);
  },

  async convert(
    { target }: { target: CallTarget },
    { signal }: WorkerCall,
  ): Promise<{ vtt: Uint8Array<ArrayBuffer>; state: FileState }> {
    const pauses = new Pauses(signal);
    const { vtt, info } = await oneAtATime(
      signal,
      () => convertSubtitles(enter(target), target.path, pauses),
    );
    return { vtt: encoder.encode(vtt), state: stateOf(info) };
  },

  find({ target }: { target: CallTarget }): EntryPath[] {
    const access = enter(target);
    return findSubtitles(access, access.stat(target.path)) ?? [];
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
  asError: (thrown, name, { target }: { target: CallTarget }) =>
    asRefusal(thrown, `${actions[name]} "${target.path}"`),
});

function enter({ spec, viewer }: CallTarget): Access {
  return new Gate(spec).enter(viewer);
}
