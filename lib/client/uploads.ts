import type { ReadonlySignal } from "@preact/signals";
import type { EntryPath } from "../access/path.ts";
import type { Failure } from "./result.ts";

/** One file or folder to be put on the server. */
export interface Incoming {
  /** The names from the destination down: ["photos", "sea.jpg"]. */
  segments: string[];
  /** Null for a folder. */
  file: File | null;
  /** Set when the browser could not read it. */
  unreadable?: boolean;
}

/** How far one upload is. */
export type UploadStatus = "waiting" | "sending" | "asking" | "done" | "failed" | "cancelled";

/** One upload as the panel shows it. */
export interface UploadRow {
  id: number;
  name: string;
  path: EntryPath;
  isFolder: boolean;
  status: UploadStatus;
  /** 0 to 100, rounded up. */
  percent: number;
  size: number;
  failure: Failure | null;
}

/** The whole queue at one moment. */
export interface UploadsNow {
  /** `idle`: nothing to do or show; `busy`: under way; `settled`: nothing under way, failures may be listed. */
  phase: "idle" | "busy" | "settled";
  /** Of all bytes, 0 to 100, rounded up. */
  percent: number;
  total: number;
  done: number;
  failed: number;
  /** Under way and asking first, then failed, then the next that wait: at most 100 rows. */
  rows: readonly UploadRow[];
}

/** The queue of uploads: five at a time, whatever folder is being looked at. */
export declare class Uploads {
  /** Changes at most once every 100 ms while bytes flow. */
  readonly now: ReadonlySignal<UploadsNow>;
  /** Looks for taken names, asks about them, then queues. */
  add(destination: EntryPath, incoming: Incoming[]): Promise<void>;
  cancel(id: number): void;
  cancelAll(): void;
  retry(id: number): void;
  retryFailed(): void;
  /** Takes finished and failed rows off the list; does nothing to those under way. */
  dismiss(): void;
}
