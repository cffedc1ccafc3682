import type { UploadRow } from "./upload_job.ts";

/** Why no upload is under way although some wait. */
export type Hold = "server" | "session" | "throttle";

/** The whole queue at one moment. */
export interface UploadsNow {
  /** `settled`: nothing is under way any more, but failures are listed. */
  phase: "idle" | "busy" | "settled";
  /** What everything waits for: the server to be back, the user to sign in again, or a moment. */
  held: Hold | null;
  /** Of all bytes, 0 to 100, rounded up. */
  percent: number;
  /** Files and folders, those given up not counted. */
  total: number;
  done: number;
  failed: number;
  /** Of those that failed, how many can be tried again. */
  retriable: number;
  /** Bytes a second; null while that is not known. */
  rate: number | null;
  /** Seconds until all are there, as far as that can be told. */
  left: number | null;
  /** How many can be listed: those under way first, then those that failed, then the next to come. */
  listed: number;
  /** The place of the first of `rows` among them. */
  from: number;
  rows: readonly UploadRow[];
}

/** A queue with nothing in it. */
export const NO_UPLOADS: UploadsNow = {
  phase: "idle",
  held: null,
  percent: 0,
  total: 0,
  done: 0,
  failed: 0,
  retriable: 0,
  rate: null,
  left: null,
  listed: 0,
  from: 0,
  rows: [],
};
