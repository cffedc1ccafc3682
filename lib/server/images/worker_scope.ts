import { NoPreview } from "./no_preview.ts";
import type { Order, Outcome } from "./protocol.ts";

/** The side of a Worker that talks to the thread which started it. */
interface WorkerScope<Setup, Task, Result> {
  onmessage: ((event: MessageEvent<Order<Setup, Task>>) => void) | null;
  postMessage(outcome: Outcome<Result>, transfer: Transferable[]): void;
}

/** What a task came to. */
export interface Done<Result> {
  result: Result;
  /** What is handed over rather than copied. */
  transfer: Transferable[];
}

/** How a thread works. */
export interface Work<Setup, Task, Result> {
  setUp(setup: Setup): void;
  /** After how many milliseconds without a task the thread offers to end. */
  idleMs: number;
  /** @throws NoPreview when the content is to blame */
  perform(task: Task): Promise<Done<Result>>;
  /** Whether a task that was refused has left the thread unable to do another. */
  isSpent?(): boolean;
}

/** Takes orders in a Worker, and answers each. */
export function takeOrders<Setup, Task, Result>(work: Work<Setup, Task, Result>): {
  note(sentence: string): void;
} {
  const scope = self as unknown as WorkerScope<Setup, Task, Result>;
  let rest: ReturnType<typeof setTimeout> | undefined;
  async function answer(id: number, task: Task): Promise<void> {
    clearTimeout(rest);
    try {
      const { result, transfer } = await work.perform(task);
      scope.postMessage({ id, result }, transfer);
    } catch (error) {
      const outcome = error instanceof NoPreview
        ? { id, refusal: error.reason, spent: work.isSpent?.() }
        : { id, failure: String(error), spent: true };
      scope.postMessage(outcome, []);
    } finally {
      clearTimeout(rest);
      rest = setTimeout(() => scope.postMessage({ idle: true }, []), work.idleMs);
    }
  }
  scope.onmessage = ({ data }) => {
    if ("setup" in data) work.setUp(data.setup);
    else answer(data.id, data.task);
  };
  return { note: (sentence) => scope.postMessage({ note: sentence }, []) };
}
