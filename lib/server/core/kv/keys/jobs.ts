/** A job, at most 60 KiB: some paths, and up to a hundred names. */
export function jobKey(userId: number, id: string): Deno.KvKey {
  return ["jobs", userId, id];
}

/** Prefix of a user's jobs; without one, of all users'. */
export function jobsPrefix(userId?: number): Deno.KvKey {
  return userId === undefined ? ["jobs"] : ["jobs", userId];
}

/** The index of jobs that have not ended: empty values. */
export function activeJobKey(userId: number, id: string): Deno.KvKey {
  return ["active_jobs", userId, id];
}

/** Prefix of a user's jobs that have not ended; without one, of all users'. */
export function activeJobsPrefix(userId?: number): Deno.KvKey {
  return userId === undefined ? ["active_jobs"] : ["active_jobs", userId];
}

/** The parts of a job besides its record. */
export type JobPart = "entries" | "steps" | "failures";

/**
 * A part of a job, at most 40 KiB: a few of its entries, the way back of one of them, or why one
 * failed.
 */
export function jobPartKey(userId: number, id: string, part: JobPart, index: number): Deno.KvKey {
  return ["job_parts", userId, id, part, index];
}

/** Prefix of a job's parts: of one kind, or of all; without a job, of all jobs. */
export function jobPartsPrefix(userId?: number, id?: string, part?: JobPart): Deno.KvKey {
  if (userId === undefined || id === undefined) return ["job_parts"];
  return part ? ["job_parts", userId, id, part] : ["job_parts", userId, id];
}
