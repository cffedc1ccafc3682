import { Gate } from "../access/gate.ts";
import { actionOf } from "../files/transfer/request.ts";
import { transfer } from "../files/transfer/transfer.ts";
import { answerCalls } from "../rpc/answer_calls.ts";
import type { MoverTask } from "./mover.ts";
import type { PatientSteps } from "../rpc/slices.ts";

const running = new Map<number, AbortController>();

answerCalls<MoverTask>({
  stepsOf,
  actionOf: (task) => task.kind === "stop" ? "Cannot stop" : actionOf(task.request),
});

function* stepsOf(task: MoverTask): PatientSteps<Uint8Array<ArrayBuffer>[]> {
  if (task.kind === "stop") {
    running.get(task.key)?.abort();
    return [];
  }
  let path = "";
  yield run(task).then((taken) => {
    path = taken;
  });
  return [new TextEncoder().encode(path)];
}

async function run({ key, spec, viewer, request }: MoverTask & { kind: "transfer" }) {
  const controller = new AbortController();
  running.set(key, controller);
  try {
    return await transfer(new Gate(spec).enter(viewer), request, controller.signal);
  } finally {
    running.delete(key);
  }
}
