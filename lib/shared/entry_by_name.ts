import type { EntryType } from "./schemas/choices/choices.ts";
import type { Entry } from "./schemas/entry.ts";

const TYPES: Partial<Record<EntryType, string>> = {
  image: "jpg jpeg png gif webp avif svg bmp ico tif tiff heic heif jxl",
  audio: "mp3 m4a aac flac ogg oga opus wav weba aif aiff wma mid midi",
  video: "mp4 m4v mov mkv webm avi mpg mpeg ogv wmv 3gp m2ts",
  pdf: "pdf",
  text: "txt md markdown rst log csv tsv tex srt vtt ass nfo org adoc " +
    "ts tsx js jsx mjs cjs json jsonc yaml yml toml xml html htm css scss less vue svelte py rb " +
    "php pl lua go rs c h cc cpp hpp cs java kt swift dart ex hs scala sh bash zsh ps1 bat sql " +
    "graphql proto tf nix ini cfg conf env lock",
};

const TYPE_OF = new Map(
  Object.entries(TYPES).flatMap(([type, endings]) =>
    endings.split(" ").map((ending): [string, EntryType] => [`.${ending}`, type as EntryType])
  ),
);

/** An entry of which only the name is known: its type is that of its extension. */
export function entryByName(
  name: string,
  isDir: boolean,
): Pick<Entry, "type" | "isDir" | "isSymlink" | "extension"> {
  const dot = name.lastIndexOf(".");
  const extension = isDir || dot <= 0 ? "" : name.slice(dot).toLowerCase();
  const type = isDir ? "listing" : TYPE_OF.get(extension) ?? "blob";
  return { type, isDir, isSymlink: false, extension };
}
