import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import { childOf, type EntryPath, parentOf } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";
import { sortByName } from "./sort.ts";
import { extensionOf, typeOfName } from "../content/types.ts";
import { foldName } from "../../../shared/fold.ts";

/** Extensions of supported subtitles. */
export const subtitleExtensions: readonly string[] = [".vtt", ".srt", ".ass", ".ssa"];

/** Names of folders beside a video that are searched for its subtitles. */
const folderNames = new Set(["sub", "subs", "subtitle", "subtitles"]);

/** An entry of one of the folders that were read. */
interface Named {
  name: string;
  isFolder: boolean;
}

/**
 * Finds the subtitles of a video: those beside it and in a subtitle folder beside it, named like it
 * with or without a language ("film.srt", "film.en.vtt", "Subs/film_de.ass"), and all in a
 * subfolder there that is named like it ("Subs/film/2_English.srt"). A name that also matches a
 * video with a longer name belongs to that one.
 *
 * @param mayRead whether a folder may be read in this thread
 * @returns null when one may not
 */
export function findSubtitles(
  access: Access,
  video: EntryHandle,
  mayRead: (folder: EntryHandle) => boolean = () => true,
): EntryPath[] | null {
  if (video.path === "/") return []; // A shared file: nothing beside it is shared.
  const read = (path: EntryPath): Named[] | null => {
    if (!mayRead(access.stat(path))) return null;
    const { children } = access.folder(path).read();
    return children.filter(({ target }) => !target || target.kind === "inside");
  };
  const folder = parentOf(video.path);
  const beside = read(folder);
  if (!beside) return null;
  const belongs = belongingTo(video.name, beside);
  const found = pathsOf(folder, beside.filter(belongs));

  for (const { name } of beside.filter(isFolderOfSubtitles)) {
    const inner = childOf(folder, name);
    const entries = unlessRefused(() => read(inner));
    if (!entries) return null;
    found.push(...pathsOf(inner, entries.filter(belongs)));
    for (
      const own of entries.filter(({ name, isFolder }) => isFolder && isNamedLike(name, video))
    ) {
      const innermost = childOf(inner, own.name);
      const all = unlessRefused(() => read(innermost));
      if (!all) return null;
      found.push(...pathsOf(innermost, all.filter(isSubtitle)));
    }
  }
  return found;
}

function pathsOf(folder: EntryPath, entries: Named[]): EntryPath[] {
  return sortByName(entries).files.map(({ name }) => childOf(folder, name));
}

function isSubtitle({ name, isFolder }: Named): boolean {
  return !isFolder && subtitleExtensions.includes(extensionOf(name));
}

function isFolderOfSubtitles({ name, isFolder }: Named): boolean {
  return isFolder && folderNames.has(foldName(name));
}

function isNamedLike(name: string, video: EntryHandle): boolean {
  return foldName(name) === stemOf(video.name) || foldName(name) === foldName(video.name);
}

/** Matches the subtitles of one video among others. */
function belongingTo(video: string, beside: Named[]): (entry: Named) => boolean {
  const stem = stemOf(video);
  const longer = beside
    .filter(({ name, isFolder }) => !isFolder && typeOfName(name) === "video")
    .map(({ name }) => stemOf(name))
    .filter((other) => other !== stem && begins(other, stem));
  return (entry) => {
    const name = stemOf(entry.name);
    return isSubtitle(entry) && begins(name, stem) && !longer.some((other) => begins(name, other));
  };
}

/** "film.en" begins with "film", "filmed" does not. */
function begins(name: string, stem: string): boolean {
  return name === stem ||
    (name.startsWith(stem) && /^[^\p{L}\p{N}]/u.test(name.slice(stem.length)));
}

function stemOf(name: string): string {
  return foldName(name.slice(0, name.length - extensionOf(name).length));
}

/** A subtitle folder that is unreadable or gone counts as empty. */
function unlessRefused(read: () => Named[] | null): Named[] | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}
