import type { Access } from "../../../core/access/access.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import type { OpenFile } from "../../../core/disk/disk.ts";
import type { PreviewMethod } from "./preview_method.ts";

/** A file that is no picture itself, open and checked for its viewer. */
export interface PictureRequest {
  method: Exclude<PreviewMethod, "picture">;
  access: Access;
  path: EntryPath;
  file: OpenFile;
}

/** Finds the picture in, or makes one of, files that are none. */
export interface PictureFinder {
  /** Whether it knows a method, as far as the system has what that needs. */
  can(method: PreviewMethod): boolean;
  /**
   * The picture as a file of its own, such as a JPEG.
   *
   * @throws NoPreview; the signal's reason
   */
  find(request: PictureRequest, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}
