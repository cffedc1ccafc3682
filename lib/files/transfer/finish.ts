import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  openSync,
} from "node:fs";
import { realChild, type RealPath } from "../../access/real_path.ts";
import type { Steps } from "../steps.ts";
import type { BuiltFolder } from "./build.ts";

const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Permission bits that folders pass on to what is made in them: set-group-id. */
const inherited = 0o2000;

/** Permission bits of folders, with sticky and set-group-id. */
const folderBits = 0o3777;

/**
 * Gives the folders that were made for a copy the owner as far as the system allows, permissions and
 * times of the originals. Comes last: until then only the server may enter them. Folders that were
 * there before keep theirs.
 *
 * @param real where the copy lies now
 * @param isSynced also waits until each folder's record of its entries is safe on the disk
 */
export function* finishFolders(
  { source, info, folders }: BuiltFolder,
  real: RealPath,
  isSynced: boolean,
): Steps<void> {
  for (const inner of folders) {
    yield* finishFolders(inner, realChild(real, inner.source.name), isSynced);
  }
  if (!source.into) finishFolder(real, info, source.folder.info);
  if (isSynced) syncFolder(real);
  yield;
}

/** Waits until a folder's record of its entries is safe on the disk, where systems can do that. */
export function syncFolder(real: RealPath): void {
  tryTo(() => {
    const descriptor = openSync(real, flags);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}

function finishFolder(real: RealPath, made: Deno.FileInfo, original: Deno.FileInfo): void {
  tryTo(() => {
    const descriptor = openSync(real, flags);
    try {
      const own = fstatSync(descriptor);
      if (own.ino !== made.ino || own.dev !== made.dev) return;
      const { uid, gid, mode } = original;
      if (uid !== null && gid !== null && (uid !== own.uid || gid !== own.gid)) {
        tryTo(() => fchownSync(descriptor, uid, gid));
      }
      const bits = ((mode ?? own.mode) & folderBits) | (own.mode & inherited);
      tryTo(() => fchmodSync(descriptor, bits));
      tryTo(() => futimesSync(descriptor, seconds(original.atime), seconds(original.mtime)));
    } finally {
      closeSync(descriptor);
    }
  });
}

function seconds(time: Date | null): number {
  return (time?.getTime() ?? Date.now()) / 1000;
}

/** For what some systems and file systems do not have. */
function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // The folder goes without it.
  }
}
