import type { Entry, EntryType } from "../../shared/api_types.ts";
import { type EntryPath, joinPaths, parsePath } from "../../shared/path.ts";
import type { SearchHit } from "./search_query.ts";

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

/**
 * A result as an entry of a listing; its type is judged by its name.
 *
 * @param base the folder that was searched
 */
export function entryOfHit(
  { path, dir, size = 0, modified = "" }: SearchHit,
  base: EntryPath,
): Entry {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const extension = dir || dot <= 0 ? "" : name.slice(dot).toLowerCase();
  return {
    name,
    path: joinPaths(base, parsePath(path).path),
    type: dir ? "listing" : TYPE_OF.get(extension) ?? "blob",
    isDir: dir,
    isSymlink: false,
    extension,
    size,
    modified,
    mode: 0,
  };
}
