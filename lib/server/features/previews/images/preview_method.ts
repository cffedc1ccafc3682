import {
  extensionOf,
  isAmbiguous,
  pictureFormatOf,
  rawExtensions,
  typeOfBytes,
  typeOfName,
} from "../../../files/content/types.ts";
import type { ThumbKind } from "../../../../shared/schemas/choices/choices.ts";

/**
 * How the picture of a preview is found: the file is one; a program makes one of it; it is the JPEG
 * in a RAW file; a picture of a video; the first page of a PDF; the cover in the tags of music.
 */
export type PreviewMethod = "picture" | "converted" | "raw" | "poster" | "page" | "cover";

/** Formats of pictures that a program converts, as the decoders here do not read them. */
export type Conversion = "icon" | "jpeg2000" | "jxl" | "pnm" | "psd" | "qoi" | "tga";

/** Their extensions; only that of Targa files decides, as these have no mark. */
const conversionByName: ReadonlyMap<string, Conversion> = new Map([
  ...[".cur", ".ico"].map((extension) => [extension, "icon"] as const),
  ...[".j2k", ".jp2"].map((extension) => [extension, "jpeg2000"] as const),
  ...[".pbm", ".pgm", ".pnm", ".ppm"].map((extension) => [extension, "pnm"] as const),
  ...([[".jxl", "jxl"], [".psd", "psd"], [".qoi", "qoi"], [".tga", "tga"]] as const),
]);

/** First bytes, in which each character is a byte. */
const marks: readonly [string, Conversion][] = [
  ["\0\0\x01\0", "icon"],
  ["\0\0\x02\0", "icon"],
  ["\0\0\0\x0cjP  ", "jpeg2000"],
  ["\xff\x4f\xff\x51", "jpeg2000"],
  ["\xff\x0a", "jxl"],
  ["\0\0\0\x0cJXL ", "jxl"],
  ...[1, 2, 3, 4, 5, 6].map((kind): [string, Conversion] => [`P${kind}\n`, "pnm"]),
  ["8BPS", "psd"],
  ["qoif", "qoi"],
];

/** The conversion that a picture needs; null for other files. */
export function conversionOf(name: string, firstBytes: Uint8Array): Conversion | null {
  const named = conversionByName.get(extensionOf(name));
  if (named === undefined && typeOfName(name) !== undefined && typeOfName(name) !== "image") {
    return null;
  }
  const start = String.fromCharCode(...firstBytes.subarray(0, 16));
  const [, marked] = marks.find(([mark]) => start.startsWith(mark)) ?? [];
  // The marks of Targa files without colours are those of icons.
  if (marked && !(marked === "icon" && named === "tga")) return marked;
  return named === "tga" && pictureFormatOf(firstBytes) === null ? named : null;
}

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
  if (firstBytes && conversionOf(name, firstBytes)) return "converted";
  if (!firstBytes && conversionByName.has(extensionOf(name))) return "converted";
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
  converted: "image",
  raw: "image",
  poster: "video",
  page: "pdf",
  cover: "audio",
} as const satisfies Record<PreviewMethod, ThumbKind>;

/** The kind of entries that a method is for. */
export function kindOfMethod(method: PreviewMethod): ThumbKind {
  return kinds[method];
}
