import type { Access } from "../access/access.ts";
import type { EntryHandle } from "../access/entry_handle.ts";
import { childOf, parentOf } from "../access/path.ts";
import { DomainError } from "../errors.ts";
import { isLarge } from "./large_folders.ts";
import { sortByName } from "./sort.ts";
import { extensionOf } from "./types.ts";

const subtitleExtensions = [".vtt", ".srt", ".ass", ".ssa"];

/**
 * The paths of the subtitles beside a video: "film.srt" and "film.en.vtt" for "film.mkv". In a
 * large folder only those named exactly like the video are found, without reading the folder.
 */
export function findSubtitles(access: Access, video: EntryHandle): string[] {
  if (video.path === "/") return []; // A shared file: nothing beside it is shared.
  const { name } = video;
  const stem = name.slice(0, name.length - extensionOf(name).length);
  const folder = parentOf(video.path);
  if (isLarge(access.stat(folder))) {
    const names = subtitleExtensions.map((extension) => stem + extension);
    return names.map((name) => childOf(folder, name)).filter((path) => isFile(access, path));
  }
  const files = access.folder(folder).read().children.filter(({ name, isFolder }) =>
    !isFolder && name.startsWith(`${stem}.`) && subtitleExtensions.includes(extensionOf(name))
  );
  return sortByName(files).files.map(({ name }) => childOf(folder, name));
}

function isFile(access: Access, path: ReturnType<typeof childOf>): boolean {
  try {
    return access.stat(path).isFile;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
