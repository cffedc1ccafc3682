import type { Access } from "../access/access.ts";
import { Gate } from "../access/gate.ts";
import type { EntryPath } from "../access/path.ts";
import type { Facts } from "../disk/facts.ts";
import { etagOf } from "../files/etag.ts";
import { modifiedOf } from "../files/entries.ts";
import { hashFile } from "../files/hash_file.ts";
import { describeText } from "../files/text_resource.ts";
import { convertSubtitles } from "../subtitles/convert.ts";
import { findSubtitles } from "../subtitles/find.ts";
import { answerCalls } from "../walk/answer_calls.ts";
import type { PatientSteps } from "../walk/slices.ts";
import { pack } from "./packet.ts";
import type { FileState, ReadingTask } from "./protocol.ts";

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

function* stepsOf(task: ReadingTask): PatientSteps<Uint8Array<ArrayBuffer>[]> {
  return [yield* read(task)];
}

function* read(task: ReadingTask): PatientSteps<Uint8Array<ArrayBuffer>> {
  const { spec, viewer, path } = task.target;
  const access = new Gate(spec).enter(viewer);
  switch (task.kind) {
    case "hash":
      return encoder.encode(yield* hashFile(access, path, task.algorithm));
    case "describe": {
      const { resource, info } = yield* describeText(access, path);
      return pack(stateOf(info), encoder.encode(JSON.stringify(resource)));
    }
    case "convert": {
      const { vtt, info } = yield* convertSubtitles(access, path);
      return pack(stateOf(info), encoder.encode(vtt));
    }
    case "find":
      return encoder.encode(JSON.stringify(subtitlesOf(access, path)));
  }
}

function subtitlesOf(access: Access, path: EntryPath): EntryPath[] {
  return findSubtitles(access, access.stat(path)) ?? [];
}

function stateOf(info: Facts): FileState {
  return { etag: etagOf(info), modified: modifiedOf(info).getTime() };
}
