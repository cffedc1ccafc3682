import { Gate } from "../access/gate.ts";
import { describeFolder, encodeFolder } from "../files/folder_resource.ts";
import { answerCalls } from "./answer_calls.ts";
import { NameCache } from "./name_cache.ts";
import type { CallTarget, Task } from "./protocol.ts";
import { removeFolder } from "./remove_folder.ts";
import type { PatientSteps } from "./slices.ts";

const cache = new NameCache();

answerCalls<Task>({ stepsOf, actionOf });

function* stepsOf(task: Task): PatientSteps<Uint8Array<ArrayBuffer> | null> {
  const { spec, viewer, path } = task.target;
  const access = new Gate(spec).enter(viewer);
  if (task.kind === "remove") {
    yield* removeFolder(access, path);
    return null;
  }
  const key = viewerKey(task.target);
  const resource = yield* describeFolder(
    access,
    path,
    task.options,
    (folder) => cache.names(folder, key),
  );
  return yield* encodeFolder(resource);
}

/** The same text for those who see the same: permissions make no difference to names. */
function viewerKey({ spec, viewer: { scope, base, rules, hideDotfiles } }: CallTarget): string {
  return JSON.stringify([spec.root, spec.reserved, scope, base, rules, hideDotfiles]);
}

function actionOf({ kind, target }: Task): string {
  return `Cannot ${kind === "list" ? "list" : "delete"} "${target.path}"`;
}
