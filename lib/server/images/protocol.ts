import type { EncodedPicture, Pixels } from "./picture.ts";
import type { PreviewFormat, PreviewSize } from "./preview.ts";

/** A picture to be made smaller. */
export interface ResizeTask {
  picture: EncodedPicture | Pixels;
  size: PreviewSize;
  format: PreviewFormat;
  /** Under which name the cache keeps the preview. */
  key: string;
}

/** What a thread is told before its first task. */
export interface CachePlace {
  folder: string;
  /** How much the cache may hold, in bytes. */
  mostBytes: number;
}

/** A drawing to be painted. */
export interface DrawTask {
  /** The SVG in UTF-8. */
  svg: Uint8Array<ArrayBuffer>;
  /** What the picture will be made into. */
  size: PreviewSize;
}

/** A message to a thread: how it is set up, which comes first, or a task. */
export type Order<Setup, Task> = { setup: Setup } | { id: number; task: Task };

/**
 * A message from a thread; `spent` says that it can't be used for another task, `idle` that it had
 * none for a while.
 */
export type Outcome<Result> =
  | { idle: true }
  | { note: string }
  | { id: number; result: Result }
  | { id: number; refusal: string; spent?: boolean }
  | { id: number; failure: string; spent?: boolean };
