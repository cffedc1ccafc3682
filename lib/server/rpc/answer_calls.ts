import { asRefusal } from "../access/os_errors.ts";
import { DomainError } from "../../shared/errors.ts";
import { collectWhenIdle } from "./collect_garbage.ts";
import { Outlet } from "./outlet.ts";
import type { Answer, Call } from "./protocol.ts";
import { type PatientSteps, runInSlices } from "./slices.ts";

/** The side of a Worker that talks to the thread which started it. */
interface WorkerScope<Task> {
  onmessage: ((event: MessageEvent<Call<Task>>) => void) | null;
  postMessage(answer: Answer, transfer: Transferable[]): void;
}

/** How a Worker does its tasks. */
export interface TaskSteps<Task> {
  /** @returns the answer in pages: none when there is nothing to tell, or all went by the outlet */
  stepsOf(task: Task, outlet: Outlet): PatientSteps<Uint8Array<ArrayBuffer>[]>;
  /** For messages: `Cannot list "/a"`. */
  actionOf(task: Task): string;
  /** Whether others go first: long work in which nobody counts the milliseconds. */
  isPatient?(task: Task): boolean;
}

/** A task under way. */
interface Running {
  controller: AbortController;
  outlet: Outlet;
}

/** Answers the calls that a Worker gets: each in slices, side by side, until it is cancelled. */
export function answerCalls<Task>({ stepsOf, actionOf, isPatient }: TaskSteps<Task>): void {
  const scope = self as unknown as WorkerScope<Task>;
  const post = (answer: Answer, transfer: Transferable[] = []) =>
    scope.postMessage(answer, transfer);
  const running = new Map<number, Running>();

  scope.onmessage = ({ data: { id, task } }) => {
    if (task === "more") running.get(id)?.outlet.grant();
    else if (task === "cancel") cancel(id);
    else answer(id, task as Task);
  };

  function cancel(id: number): void {
    running.get(id)?.controller.abort();
    running.get(id)?.outlet.release();
  }

  async function answer(id: number, task: Task): Promise<void> {
    const controller = new AbortController();
    const outlet = new Outlet(id, post);
    running.set(id, { controller, outlet });
    const { signal } = controller;
    try {
      const pages = await runInSlices(stepsOf(task, outlet), signal, isPatient?.(task));
      post({ id, pages }, pages.map(({ buffer }) => buffer));
    } catch (error) {
      if (!signal.aborted) post(refusalOf(id, asRefusal(error, actionOf(task))));
    } finally {
      running.delete(id);
      collectWhenIdle(() => running.size === 0);
    }
  }
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
