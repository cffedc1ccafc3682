/** The folders in which one operation takes place, and what is to be seen of them. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Store } from "../../../lib/server/core/kv/store.ts";
import {
  joinShares,
  shareRecords,
  type StoredShare,
} from "../../../lib/server/features/links/shares/share_records.ts";
import { type TrashedEntry, TrashRecords } from "../../../lib/server/files/trash/trash_records.ts";
import type { Caller, Stand } from "./stand.ts";

/** The time that everything has before an operation; what is newer is shown as such. */
export const longAgo = new Date("2001-02-03T04:05:06Z");

/** Folders of one operation, on both disks. */
export interface Place {
  stand: Stand;
  user: Caller;
  /** Its folder on the root's own disk, and the one on the other disk. */
  near: string;
  far: string;
  /** The same as the API names them. */
  nearPath: string;
  farPath: string;
  /** What an operation remembers of its preparation. */
  notes: Map<string, string>;
  /** Set once the server has said that it does it, or has done it. */
  isAccepted: boolean;
}

/** What lies in a folder by path: files and folders, with the bytes of each file. */
export interface Planted {
  [path: string]: Uint8Array<ArrayBuffer> | null;
}

/** Bytes that no two places of which are alike, the same for the same name. */
export function bytesOf(name: string, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let state = createHash("md5").update(name).digest().readUInt32LE();
  for (let index = 0; index < size; index += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[index] = state >>> 24;
    bytes[index + 1] = state >>> 16;
    bytes[index + 2] = state >>> 8;
    bytes[index + 3] = index >>> 8;
  }
  return bytes;
}

/** Many small files in some folders, and a large one. */
export function manyFiles(name: string, count = 120, large = 8 * 1024 * 1024): Planted {
  const planted: Planted = { [name]: null, [`${name}/large.bin`]: bytesOf(name, large) };
  for (let index = 0; index < count; index++) {
    const folder = `${name}/folder ${index % 4}`;
    planted[folder] = null;
    planted[`${folder}/${index}.txt`] = bytesOf(`${name} ${index}`, 10 + index * 7);
  }
  return planted;
}

/** Makes files and folders with modes and times of their own. */
export function plantAt(top: string, planted: Planted): void {
  const paths = Object.keys(planted);
  for (const path of paths) {
    const bytes = planted[path];
    if (bytes) Deno.writeFileSync(join(top, path), bytes);
    else Deno.mkdirSync(join(top, path), { recursive: true });
  }
  for (const path of paths.toReversed()) {
    Deno.chmodSync(join(top, path), planted[path] ? 0o640 : 0o751);
    Deno.utimeSync(join(top, path), longAgo, longAgo);
  }
}

/**
 * What is to be seen in a place, one line each, sorted: entries with modes, times and contents,
 * what its user's trash has of it, and shares of it.
 */
export async function look(
  place: Pick<Place, "near" | "far" | "nearPath" | "farPath"> & { stand: { root: string } },
  store: Store,
): Promise<string[]> {
  const { near, far, nearPath, farPath, stand } = place;
  const isOurs = (path: string) =>
    [nearPath, farPath].some((top) => path === top || path.startsWith(`${top}/`));
  const named = (path: string) => path.replaceAll(nearPath.slice(1), "*");
  const trashed = (await new TrashRecords(store).list()).filter(({ path }) => isOurs(path));
  const records = (await store.list<StoredShare>(shareRecords.prefix())).map(({ value }) => value);
  const shares = (await joinShares(store, records)).map(({ place }) => place).filter(isOurs);
  const lines = [
    ...linesOf(near, "near"),
    ...linesOf(far, "far"),
    ...trashed.map((entry) => `trash ${named(entry.path)}${trashedLine(stand.root, entry)}`),
    ...shares.map((path) => `share ${named(path)}`),
  ];
  return [...new Set(lines)].sort();
}

/** Every entry below a folder. Folders at its top have the time of what was done in them. */
function linesOf(folder: string, above: string, depth = 0): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    const info = Deno.lstatSync(path);
    const mode = ((info.mode ?? 0) & 0o7777).toString(8);
    const time = info.mtime?.getTime() === longAgo.getTime() ? "old" : "new";
    const shown = `${above}/${name}`;
    if (isDirectory) {
      const line = `${shown}/ ${mode}${depth === 0 ? "" : ` ${time}`}`;
      return [line, ...linesOf(path, shown, depth + 1)];
    }
    return [`${shown} ${mode} ${time} ${info.size} ${digestOf(Deno.readFileSync(path))}`];
  });
}

function trashedLine(root: string, { id, top, isVersion, isDir, path }: TrashedEntry): string {
  const place = join(root, top, ".cubby-trash", id, path.split("/").at(-1) ?? "");
  const what = isVersion ? "version" : "entry";
  try {
    if (!isDir) return ` ${what} ${digestOf(Deno.readFileSync(place))}`;
    const inside = linesOf(place, "");
    return ` ${what} ${createHash("md5").update(inside.join("\n")).digest("hex")}`;
  } catch (error) {
    return ` ${what} is not there: ${error}`;
  }
}

/** As {@linkcode look} shows a file's content. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("hex");
}

/** Temporary files change the times of folders that are as they were otherwise. */
export function timeless(lines: string[]): string {
  return lines.map((line) => line.replace(/\/ (\d+) (old|new)$/, "/ $1")).join();
}
