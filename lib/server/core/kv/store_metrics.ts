import { Counter, Histogram } from "../metrics/metrics.ts";

const commits = new Histogram(
  "cubby_store_commit_duration_seconds",
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10],
);
const failures = new Counter("cubby_store_errors_total");

/** Counts an operation on the store when it fails. */
export async function counted<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    failures.add();
    throw error;
  }
}

/** The same for a commit, which is timed as well. */
export async function timed<T>(commit: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await counted(commit);
  commits.observe((performance.now() - start) / 1000);
  return result;
}
