/*
 * Kinds of files by their extension (lower case, without the dot): finer than the type, which says
 * how a file is opened.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Archives and disk images. */
export const ARCHIVES = /* @__PURE__ */ words(
  "7z br bz2 cab deb dmg gz iso jar lz4 rar rpm sz tar tbz2 tgz txz xz zip zst",
);

/** Images of whole disks. */
export const DISKS = /* @__PURE__ */ words("dmg img iso qcow2 vdi vhd vhdx vmdk");

/** Written with a word processor. */
export const WRITINGS = /* @__PURE__ */ words("doc docm docx dot dotm dotx odt ott pages rtf wpd");

/** Tables. */
export const SHEETS = /* @__PURE__ */ words(
  "csv numbers ods ots tsv xls xlsb xlsm xlsx xlt xltm xltx",
);

/** Slides for talks. */
export const SLIDES = /* @__PURE__ */ words("key odp otp pps ppsx ppt pptm pptx");

/** Books and comics. */
export const BOOKS = /* @__PURE__ */ words("azw azw3 cbr cbz djvu epub fb2 mobi");

/** Programs, and their installers. */
export const PROGRAMS = /* @__PURE__ */ words("apk appimage com dll exe ipa msi so");

const ARCHIVE_NAME = /\.(zip|7z|rar|jar|tar(\.\w+)?|t[bgx]z2?|tzst|tbr)$/i;

/** Whether a name is that of an archive that the server opens and extracts. */
export function isArchiveName(name: string): boolean {
  return ARCHIVE_NAME.test(name);
}

/** Whether a name is that of a delimited text. */
export function isTableName(name: string): boolean {
  return /\.(csv|tsv|tab)$/i.test(name);
}

/** Whether a name is that of a Markdown document. */
export function isMarkdownName(name: string): boolean {
  return /\.(md|markdown|mkd|mdown)$/i.test(name);
}

/** Whether a name is that of a Word document or template that is shown as text. */
export function isWordName(name: string): boolean {
  return /\.do[ct][xm]$/i.test(name);
}

/** Whether a name is that of an Excel workbook or template that is shown as tables. */
export function isWorkbookName(name: string): boolean {
  return /\.xl[st][xm]$/i.test(name);
}

/** Whether a name is that of an Office document that is shown as the PDF that LibreOffice makes. */
export function isOfficeName(name: string): boolean {
  return /\.(do[ct]|rtf|wpd|od[tspg]|ot[tspg]|p[po]t|pps|p[po]t[xm]|pps[xm]|xl[st]|xlsb)$/i.test(
    name,
  );
}

const OLDER = [0xd0, 0xcf, 0x11, 0xe0];

/**
 * Whether a document begins as those of Office 97 do, and newer ones with a password: it is no zip,
 * whatever its name.
 */
export function isOlderDocument(bytes: Uint8Array): boolean {
  return OLDER.every((byte, at) => bytes[at] === byte);
}

const EDITED = /* @__PURE__ */ words(
  "doc docm docx dot dotm dotx odt ott rtf ods ots xls xlsb xlsm xlsx xlt xltm xltx " +
    "odp otp pps ppsx pot potx ppt pptm pptx",
);

/** Whether a name is that of a document which office servers open. */
export function isEditedInOffice(name: string): boolean {
  return EDITED.has(/\.([^.]+)$/.exec(name.toLowerCase())?.[1] ?? "");
}

/** The largest Office document that is shown as PDF, in bytes. */
export const LARGEST_CONVERTED = 100 * 2 ** 20;

/** Documents: texts, tables, slides and books. */
export const DOCUMENTS = /* @__PURE__ */ words(
  "adoc csv djvu doc docm docx dotx epub key markdown md mobi numbers odg odp ods odt org pages pdf " +
    "ppt pptx ps rst rtf tex txt xls xlsm xlsx xltx",
);

/** Text that is source code or configuration rather than prose. */
export const CODE = /* @__PURE__ */ words(
  "ts tsx js jsx mjs cjs json jsonc yaml yml toml xml html htm css scss less vue svelte py rb php pl " +
    "lua go rs c h cc cpp hpp cs java kt swift dart ex hs scala sh bash zsh ps1 bat sql graphql proto " +
    "tf nix ini cfg conf env lock",
);

const OTHERS_PACKED = /* @__PURE__ */ words(
  "3gp aac ac3 amr ape flac m4a m4b mp2 mp3 mka mpc oga ogg opus wma " +
    "avi flv m2ts m4v mkv mov mp4 mpeg mpg mts ogv vob webm wmv " +
    "avif cr2 cr3 gif heic heif jfif jp2 jpe jpeg jpg jxl nef png webp " +
    "apk crx ipa lha lz lzma lzo tbz whl xpi z docm docx dotm dotx epub odg odp ods odt pptx xlsb xlsm xlsx xltm xltx woff " +
    "woff2",
);

/** Whether files are compressed already: deflating them again is a waste of time. */
export function isPacked(extension: string): boolean {
  if (extension === "iso" || extension === "tar") return false;
  return ARCHIVES.has(extension) || OTHERS_PACKED.has(extension);
}
