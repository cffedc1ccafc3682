import { basename, dirname, join } from "node:path";
import { mounts } from "../disk/mounts.ts";
import { disk } from "../disk/this_disk.ts";

/** The largest file that is handed out, in bytes. */
const mostBytes = 1024 * 1024;

/** What a site may bring of its own, where File Browser looks for it, the first that is there. */
const places = {
  "custom.css": ["custom.css"],
  "logo": ["img/logo.svg", "img/logo.png"],
  "icon": ["img/icons/favicon.svg", "img/icons/favicon-32x32.png", "img/icons/favicon.ico"],
} as const;

/** What a site may bring of its own. */
export type BrandingName = keyof typeof places;

const types: Record<string, string> = {
  css: "text/css; charset=utf-8",
  ico: "image/x-icon",
  png: "image/png",
  svg: "image/svg+xml",
};

/** One file of the branding folder. */
export interface BrandingFile {
  bytes: Uint8Array<ArrayBuffer>;
  mediaType: string;
  /** Changes with the file. */
  version: string;
}

/** Whether a word is the name of something that a site may bring. */
export function isBrandingName(word: string): word is BrandingName {
  return Object.hasOwn(places, word);
}

/**
 * Reads what the administrator has put into the branding folder. Only the few names that are known
 * are ever opened, and only regular files: a link at the end of one is not followed.
 *
 * @param folder the setting: an absolute path, or "" for none
 * @returns null when it is not there, is too large, or may not be read
 */
export function readBranding(folder: string, name: BrandingName): BrandingFile | null {
  if (!folder.startsWith("/")) return null;
  for (const place of places[name]) {
    const file = readPlainFile(join(folder, place));
    const extension = place.slice(place.lastIndexOf(".") + 1);
    if (file) return { ...file, mediaType: types[extension] ?? "" };
  }
  return null;
}

/**
 * Reads a file past the gate of lib/access, which decides what a viewer may reach inside the served
 * folder. No request names this path: the folder is the administrator's setting, which may lead
 * through links, lies in no scope, and the names in it are constants here. The file itself must not
 * be a link or a pipe that another user put there.
 */
function readPlainFile(path: string): Omit<BrandingFile, "mediaType"> | null {
  try {
    // A disk that may hang is not waited for, also not by the look for links.
    mounts.assertQuick(path);
    using folder = disk.folder(Deno.realPathSync(dirname(path)));
    using file = folder.file(basename(path), "read");
    const { isFile, size, mtime } = file.facts();
    if (!isFile || size > mostBytes) return null;
    const bytes = new Uint8Array(size);
    const length = file.read(bytes, 0);
    const version = `${(mtime?.getTime() ?? 0).toString(36)}-${length.toString(36)}`;
    return { bytes: bytes.subarray(0, length), version };
  } catch {
    return null;
  }
}
