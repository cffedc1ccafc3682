/**
 * There is nothing to show of a file: it is no picture, broken, or too large. It says nothing of
 * where the file lies, since those who wait for one preview may know the file by different paths.
 */
export class NoPreview extends Error {
  override readonly name = "NoPreview";

  /** @param reason how a sentence ends: `the picture cannot be read` */
  constructor(readonly reason: string) {
    super(reason);
  }
}

/** What is said of files that decoders do not take. */
export const unreadable = "the picture cannot be read";

/** What is said of pictures beyond the limits. */
export const tooLarge = "the picture is too large";
