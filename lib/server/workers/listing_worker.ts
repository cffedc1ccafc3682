import { Gate } from "../access/gate.ts";
import { encodeFolder } from "../files/listing/folder_resource.ts";
import { answerCalls } from "../rpc/answer_calls.ts";
import { NameCache } from "../files/listing/name_cache.ts";
import type { CallTarget, Task } from "../rpc/protocol.ts";
import type { Outlet } from "../rpc/outlet.ts";
import { removeFolder } from "../files/remove_folder.ts";
import { searchFolder } from "../search/search_folder.ts";
import type { PatientSteps } from "../rpc/slices.ts";

const cache = new NameCache();

/** The beginnings of messages. */
const actions: Record<Task["kind"], string> = {
  list: "Cannot list",
  remove: "Cannot delete",
  search: "Cannot search",
};

answerCalls<Task>({
  stepsOf,
  actionOf: ({ kind, target }) => `${actions[kind]} "${target.path}"`,
  isPatient: ({ kind }) => kind === "search",
});

function* stepsOf(task: Task, outlet: Outlet): PatientSteps<Uint8Array<ArrayBuffer>[]> {
  const { spec, viewer, path } = task.target;
  const access = new Gate(spec).enter(viewer);
  if (task.kind === "remove") {
    yield* removeFolder(access, path);
    return [];
  }
  if (task.kind === "search") {
    yield* searchFolder(access, path, task.options, outlet);
    return [];
  }
  const key = viewerKey(task.target);
  return yield* encodeFolder(
    access,
    path,
    task.options,
    (folder, open) => cache.names(folder, open, key),
  );
}

/** The same text for those who see the same: permissions make no difference to names. */
function viewerKey({ spec, viewer: { scope, base, rules, hideDotfiles } }: CallTarget): string {
  return JSON.stringify([spec.root, spec.reserved, scope, base, rules, hideDotfiles]);
}
