import type { JobState } from "../../../shared/schemas/job.ts";
import type { Job } from "./job.ts";

/** An event in the life of a job. */
export type JobEvent =
  /** A thread takes it: one that waits, or one that was lost. */
  | "claim"
  /** Its thread leaves it to others. */
  | "release"
  | "pause"
  | "resume"
  | "cancel"
  /** All of it is done, or undone. */
  | "finish"
  /** It can't be continued. */
  | "abandon"
  /** Its user wants what it has done to be undone. */
  | "undo";

/** States in which nothing is left to do. They are final: only an undo leaves them. */
export const endedStates: readonly JobState[] = ["done", "cancelled", "undone"];

/**
 * All transitions between the states of a job: for each event, the states in which it may happen,
 * and the state after it.
 */
export const transitions: Record<JobEvent, { readonly [State in JobState]?: JobState }> = {
  claim: { queued: "running", running: "running", undoing: "undoing" },
  release: { running: "queued", undoing: "undoing" },
  pause: { queued: "paused", running: "paused", paused: "paused" },
  resume: { queued: "queued", paused: "queued" },
  cancel: { queued: "cancelled", running: "cancelled", paused: "cancelled" },
  finish: { running: "done", undoing: "undone" },
  abandon: { running: "cancelled", undoing: "undone" },
  undo: { done: "undoing", cancelled: "undoing", undone: "undoing" },
};

/** Whether nothing is left to do. */
export function isEnded({ state }: Pick<Job, "state">): boolean {
  return endedStates.includes(state);
}

/**
 * A job after an event. It has no runner then: a claim adds one.
 *
 * @returns null when the event may not happen in its state, or its user's order to cancel precedes
 */
export function after(job: Job, event: JobEvent): Job | null {
  const state = transitions[event][job.state];
  const isPreceded = job.wish === "cancel" && (event === "pause" || event === "release");
  if (state === undefined || isPreceded) return null;
  const next = { ...job, state, runner: null };
  if (event === "claim") return next;
  // Without a sign of work any thread takes it at once.
  if (event === "release") return { ...next, beat: 0 };
  if (event === "pause" || event === "resume") return { ...next, wish: null };
  return { ...next, wish: null, current: null, ended: isEnded(next) ? Date.now() : null };
}
