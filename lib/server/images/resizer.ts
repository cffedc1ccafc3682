import type { EncodedPicture } from "./picture.ts";
import type { PreviewFormat, PreviewSize } from "./preview.ts";

/** An implementation of decoding and resizing. */
export interface Resizer {
  /** Its name in the log. */
  readonly name: string;
  /**
   * Makes a preview. The requested format is a preference; the bytes show the actual one.
   *
   * @throws NoPreview
   */
  resize(
    picture: EncodedPicture,
    size: PreviewSize,
    format: PreviewFormat,
  ): Promise<Uint8Array<ArrayBuffer>>;
}
