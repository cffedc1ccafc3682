import { basename, dirname, join } from "node:path";
import { mounts } from "../../core/disk/mounts.ts";
import { disk } from "../../core/disk/this_disk.ts";

/** Largest file that is served, in bytes. */
const maxBytes = 1024 * 1024;

/** Branding files by name, at File Browser's paths; the first that exists is used. */
const places = {
  "custom.css": ["custom.css"],
  "logo": ["img/logo.svg", "img/logo.png"],
  "icon": ["img/icons/favicon.svg", "img/icons/favicon-32x32.png", "img/icons/favicon.ico"],
} as const;

/** Name of a branding file. */
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

/** Whether a text is the name of a branding file. */
export function isBrandingName(name: string): name is BrandingName {
  return Object.hasOwn(places, name);
}

/**
 * Reads a file of the administrator's branding folder. Only the known names are opened, and only
 * regular files: a symlink as the last component is not followed.
 *
 * @param folder the setting: an absolute path, or "" for none
 * @returns null when it is missing, too large, or not readable
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
 * Reads a file without the gate of lib/server/core/access, which guards the served folder. No request
 * controls this path: the folder is the administrator's setting, which may contain symlinks and
 * lies in no scope, and the names in it are constants here. The file itself must not be a symlink
 * or a pipe that another user put there.
 */
function readPlainFile(path: string): Omit<BrandingFile, "mediaType"> | null {
  try {
    // Never blocks on a disk that may hang, nor does resolving symlinks.
    mounts.assertQuick(path);
    using folder = disk.folder(Deno.realPathSync(dirname(path)));
    using file = folder.file(basename(path), "read");
    const { isFile, size, mtime } = file.facts();
    if (!isFile || size > maxBytes) return null;
    const bytes = new Uint8Array(size);
    const length = file.read(bytes, 0);
    const version = `${(mtime?.getTime() ?? 0).toString(36)}-${length.toString(36)}`;
    return { bytes: bytes.subarray(0, length), version };
  } catch {
    return null;
  }
}
