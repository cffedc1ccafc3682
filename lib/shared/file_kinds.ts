/*
 * Kinds of files by their extension (lower case, without the dot): finer than the type, which says
 * how a file is opened.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Archives and disk images. */
export const ARCHIVES = /* @__PURE__ */ words(
  "7z br bz2 cab deb dmg gz iso jar lz4 rar rpm sz tar tbz2 tgz txz xz zip zst",
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
    "apk crx ipa lha lz lzma lzo tbz whl xpi z docx epub odg odp ods odt pptx xlsx woff woff2",
);

/** Whether files are compressed already: deflating them again is a waste of time. */
export function isPacked(extension: string): boolean {
  if (extension === "iso" || extension === "tar") return false;
  return ARCHIVES.has(extension) || OTHERS_PACKED.has(extension);
}
