import { Gate } from "../access/gate.ts";
import { asRefusal } from "../access/os_errors.ts";
import { DomainError } from "../errors.ts";
import { describeFolder, encodeFolder } from "../files/folder_resource.ts";
import { NameCache } from "./name_cache.ts";
import type { Answer, Call, CallTarget, Task } from "./protocol.ts";
import { removeFolder } from "./remove_folder.ts";
import { type PatientSteps, runInSlices } from "./slices.ts";

/** The side of a Worker that talks to the thread which started it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Call>) => void) | null;
  postMessage(answer: Answer, transfer: Transferable[]): void;
}

const scope = self as unknown as WorkerScope;
const cache = new NameCache();
const running = new Map<number, AbortController>();

scope.onmessage = ({ data: { id, task } }) => {
  if (task === "cancel") running.get(id)?.abort();
  else answer(id, task);
};

async function answer(id: number, task: Task): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const bytes = await runInSlices(stepsOf(task), controller.signal);
    scope.postMessage({ id, bytes }, bytes ? [bytes.buffer] : []);
  } catch (error) {
    if (!controller.signal.aborted) {
      scope.postMessage(refusalOf(id, asRefusal(error, actionOf(task))), []);
    }
  } finally {
    running.delete(id);
  }
}

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

function refusalOf(id: number, error: unknown): Answer {
  if (error instanceof DomainError) {
    return { id, refusal: { code: error.code, message: error.message } };
  }
  return {
    id,
    failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  };
}
