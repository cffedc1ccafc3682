import { extensionOf, isAmbiguous, typeOfBytes, typeOfName } from "../../../files/content/types.ts";
import type { ThumbKind } from "../../../../shared/schemas/choices/choices.ts";

/**
 * How the picture of a preview is found: the file is one; it is the JPEG in a RAW file; a picture
 * of a video; the first page of a PDF; the cover in the tags of music.
 */
export type PreviewMethod = "picture" | "raw" | "poster" | "page" | "cover";

/** Extensions of cameras' RAW files. */
const rawExtensions: ReadonlySet<string> = new Set([
  ...[".3fr", ".arw", ".cr2", ".cr3", ".crw", ".dng", ".nef", ".orf", ".pef", ".raf", ".rw2"],
]);

/** Whether a name is that of a camera's RAW file. */
export function isRaw(name: string): boolean {
  return rawExtensions.has(extensionOf(name));
}

/**
 * The method for a file.
 *
 * @param firstBytes decide for names that tell nothing
 * @returns null for types without previews
 */
export function methodOf(name: string, firstBytes?: Uint8Array): PreviewMethod | null {
  if (isRaw(name)) return "raw";
  const type = isAmbiguous(name) ? firstBytes && typeOfBytes(firstBytes) : typeOfName(name);
  switch (type) {
    case "video":
      return "poster";
    case "pdf":
      return "page";
    case "audio":
      return "cover";
    case "image":
      return "picture";
    default:
      return null;
  }
}

const kinds = {
  picture: "image",
  raw: "image",
  poster: "video",
  page: "pdf",
  cover: "audio",
} as const satisfies Record<PreviewMethod, ThumbKind>;

/** The kind of entries that a method is for. */
export function kindOfMethod(method: PreviewMethod): ThumbKind {
  return kinds[method];
}
