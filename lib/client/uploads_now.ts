import type { UploadRow } from "./upload_job.ts";

/** The whole queue at one moment. */
export interface UploadsNow {
  /** `settled`: nothing is under way any more, but failures are listed. */
  phase: "idle" | "busy" | "settled";
  /** Of all bytes, 0 to 100, rounded up. */
  percent: number;
  /** Files and folders, those given up not counted. */
  total: number;
  done: number;
  failed: number;
  /** Those under way first, then those that failed, then the next to come. */
  rows: readonly UploadRow[];
}

/** A queue with nothing in it. */
export const NO_UPLOADS: UploadsNow = {
  phase: "idle",
  percent: 0,
  total: 0,
  done: 0,
  failed: 0,
  rows: [],
};
