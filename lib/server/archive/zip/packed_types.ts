import { extensionOf } from "../../files/content/types.ts";

/** Kinds of files that are compressed in themselves: deflating them again costs time for nothing. */
const packed: ReadonlySet<string> = new Set(
  [
    "3gp aac ac3 amr ape flac m4a m4b mp2 mp3 mka mpc oga ogg opus wma",
    "avi flv m2ts m4v mkv mov mp4 mpeg mpg mts ogv vob webm wmv",
    "avif cr2 cr3 gif heic heif jfif jp2 jpe jpeg jpg jxl nef png webp",
    "7z apk br bz2 cab crx deb dmg gz ipa jar lha lz lz4 lzma lzo rar rpm sz tbz tgz txz whl xpi xz z zip zst",
    "docx epub odg odp ods odt pptx xlsx",
    "woff woff2",
  ].flatMap((line) => line.split(" ")),
);

/** Whether a file is compressed in itself, as far as its name tells. */
export function isPacked(name: string): boolean {
  return packed.has(extensionOf(name).slice(1));
}
