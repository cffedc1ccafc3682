/**
 * A file has no preview: it is not a picture, broken, or too large. The message has no path, because
 * callers that share the result may know the file by different paths.
 */
export class NoPreview extends Error {
  override readonly name = "NoPreview";

  /** @param reason end of a sentence: `the picture cannot be read` */
  constructor(readonly reason: string) {
    super(reason);
  }
}

/** The reason for files that decoders reject. */
export const unreadable = "the picture cannot be read";

/** The reason for pictures beyond the limits. */
export const tooLarge = "the picture is too large";

/** The reason for files of which no preview can be made here. */
export const noPicture = "it is not a picture";

/** The reason for files that only a program reads, where that is not installed. */
export const noProgram = "the program that reads it is not installed";
