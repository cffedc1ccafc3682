/** The thread in which bcryptjs computes, since it would block the event loop for 100 ms. */
import { compareSync, hashSync } from "bcryptjs";
import type { BcryptAnswer, BcryptTask } from "./bcrypt_in_worker.ts";

/** What a dedicated worker sees as its global object. */
interface WorkerThread {
  onmessage: ((event: MessageEvent<BcryptTask>) => void) | null;
  postMessage(answer: BcryptAnswer): void;
}

const thread = self as unknown as WorkerThread;

thread.onmessage = ({ data: task }) => {
  try {
    const result = "cost" in task
      ? hashSync(task.password, task.cost)
      : compareSync(task.password, task.hash);
    thread.postMessage({ id: task.id, result });
  } catch (error) {
    thread.postMessage({ id: task.id, failure: String(error) });
  }
};
