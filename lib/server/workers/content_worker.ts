import type { Access } from "../access/access.ts";
import { Gate } from "../access/gate.ts";
import type { EntryPath } from "../../shared/path.ts";
import { hashFile } from "../files/content/hash_file.ts";
import { convertSubtitles } from "../subtitles/convert.ts";
import { findSubtitles } from "../files/listing/find_subtitles.ts";
import { answerCalls } from "../rpc/answer_calls.ts";
import type { Outlet } from "../rpc/outlet.ts";
import type { CallTarget } from "../rpc/protocol.ts";
import type { PatientSteps } from "../rpc/slices.ts";
import { oneAtATime } from "./one_at_a_time.ts";
import { pack } from "./packet.ts";
import { type ReadingTask, stateOf } from "./content_protocol.ts";
import { sendText } from "./send_text.ts";

/** The beginnings of messages. */
const actions: Record<ReadingTask["kind"], string> = {
  hash: "Cannot make a checksum of",
  describe: "Cannot look at",
  convert: "Cannot convert",
  find: "Cannot find the subtitles of",
};

const encoder = new TextEncoder();

answerCalls<ReadingTask>({
  stepsOf,
  actionOf: ({ kind, target }) => `${actions[kind]} "${target.path}"`,
  isPatient: ({ kind }) => kind === "hash",
});

function* stepsOf(task: ReadingTask, outlet: Outlet): PatientSteps<Uint8Array<ArrayBuffer>[]> {
  if (task.kind !== "describe") return [yield* read(task)];
  yield* sendText(enter(task.target), task.target.path, outlet);
  return [];
}

function enter({ spec, viewer }: CallTarget): Access {
  return new Gate(spec).enter(viewer);
}

function* read(
  task: Exclude<ReadingTask, { kind: "describe" }>,
): PatientSteps<Uint8Array<ArrayBuffer>> {
  const { path } = task.target;
  const access = enter(task.target);
  switch (task.kind) {
    case "hash":
      return encoder.encode(yield* hashFile(access, path, task.algorithm));
    case "convert": {
      const { vtt, info } = yield* oneAtATime(convertSubtitles(access, path));
      return pack(stateOf(info), encoder.encode(vtt));
    }
    case "find":
      return encoder.encode(JSON.stringify(subtitlesOf(access, path)));
  }
}

function subtitlesOf(access: Access, path: EntryPath): EntryPath[] {
  return findSubtitles(access, access.stat(path)) ?? [];
}
