import type { EncodedPicture } from "./picture.ts";
import type { PreviewFormat, PreviewSize } from "./preview.ts";

/** One way to decode pictures and make them smaller. */
export interface Resizer {
  /** What the log calls it. */
  readonly name: string;
  /**
   * Makes a preview. The format is a wish; the bytes tell which one it became.
   *
   * @throws NoPreview
   */
  resize(
    picture: EncodedPicture,
    size: PreviewSize,
    format: PreviewFormat,
  ): Promise<Uint8Array<ArrayBuffer>>;
}
