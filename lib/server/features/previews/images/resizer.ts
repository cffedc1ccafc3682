import type { EncodedPicture, Pixels } from "./picture.ts";
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

  /**
   * Makes the cover of a folder.
   *
   * @param pictures one to four, each a preview
   * @throws NoPreview
   */
  compose(
    pictures: readonly EncodedPicture[],
    size: PreviewSize,
    format: PreviewFormat,
  ): Promise<Uint8Array<ArrayBuffer>>;

  /** The pixels of a preview, scaled down to a square of {@linkcode hashSide}. */
  tiny(preview: EncodedPicture): Promise<Pixels>;
}

/** The side of the square that a thumbnail's hash is made of, in pixels. */
export const hashSide = 48;
