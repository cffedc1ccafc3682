import type { JobInfo } from "../../../../shared/schemas/job.ts";
import { type List, listOf } from "./list.ts";

/** Jobs of a user, the latest first: their number is bounded, so that all of them are read. */
export function jobList(jobs: readonly JobInfo[]): List<JobInfo, JobInfo> {
  return listOf(jobs, {
    positionOf: ({ id }) => id,
    textOf: ({ name, from, to }) => `${name} ${from} ${to ?? ""}`,
    show: (some) => [...some],
  });
}
