import assert from "node:assert/strict";
import type { JobInfo } from "../../../lib/shared/schemas/job.ts";
import type { Place } from "./place.ts";

/** An operation during which the server is killed. */
export interface Kind {
  name: string;
  /** Whether it concerns all that its user has: it gets one of its own. */
  isAlone?: boolean;
  /** Whether its place may look afterwards as before. */
  isUnseen?: boolean;
  /** Makes what it needs. */
  prepare(place: Place): Promise<void> | void;
  /** Does it; rejects when the server is killed meanwhile. */
  run(place: Place): Promise<void>;
  /** What a client does once the server is there again, if it can go on with the operation. */
  goOn?(place: Place): Promise<void>;
  /**
   * Whether it may have been done in part, or be undone though it was accepted. Otherwise it is to
   * be done as a whole, or not at all unless it was accepted.
   */
  allows?(lines: string[], states: { before: string[]; after: string[] }): boolean;
}

/** An entry of a job. */
export interface Entry {
  path: string;
  destination?: string;
  override?: boolean;
  rename?: boolean;
}

/** Begins a job. @returns its id */
export async function begin(place: Place, action: string, entries: Entry[]): Promise<string> {
  const { user } = place;
  const answer = await user.call("POST", "/api/jobs", { json: { action, entries } });
  const { id } = await answer.json();
  place.isAccepted = true;
  return id;
}

/** Waits for a job to end, and fails unless all of it was done. */
export async function ends({ user }: Place, id: string): Promise<JobInfo> {
  const headers = { prefer: "wait=60" };
  const job: JobInfo = await (await user.call("GET", `/api/jobs/${id}`, { headers })).json();
  assert.equal(job.failed, 0, JSON.stringify(job.failures));
  return job;
}

/** A job as an operation. */
export function jobKind(
  name: string,
  prepare: Kind["prepare"],
  job: (place: Place) => { action: string; entries: Entry[] },
  allows?: Kind["allows"],
): Kind {
  return {
    ...{ name, prepare, allows },
    async run(place) {
      const { action, entries } = job(place);
      await ends(place, await begin(place, action, entries));
    },
  };
}

/** The undo of a job as an operation. */
export function undoKind(
  name: string,
  prepare: Kind["prepare"],
  job: (place: Place) => { action: string; entries: Entry[] },
): Kind {
  return {
    name,
    async prepare(place) {
      await prepare(place);
      const { action, entries } = job(place);
      const id = await begin(place, action, entries);
      await ends(place, id);
      place.notes.set("job", id);
      place.isAccepted = false;
    },
    async run(place) {
      const id = place.notes.get("job") ?? "";
      await (await place.user.call("POST", `/api/jobs/${id}/undo`)).body?.cancel();
      place.isAccepted = true;
      await ends(place, id);
    },
  };
}
