import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  futimesSync,
  openSync,
  type Stats,
} from "node:fs";
import type { RealPath } from "../../access/real_path.ts";

/** Permission bits that files keep: never set-uid or set-gid, for the owner may be another now. */
const fileBits = 0o777;

/** Those of folders, with sticky and set-group-id. */
const folderBits = 0o3777;

/** What folders pass on to what is made in them: set-group-id. */
const inherited = 0o2000;

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Gives the open copy of a file what its original has: the owner as far as the system allows,
 * permissions, and times to the millisecond.
 *
 * @param real where the copy lies
 * @param made what the disk said of the copy when it was made
 */
export function giveTraits(
  copy: Deno.FsFile,
  real: RealPath,
  made: Deno.FileInfo,
  original: Pick<Stats, "uid" | "gid" | "mode" | "atimeMs" | "mtimeMs">,
): void {
  const { uid, gid, mode, atimeMs, mtimeMs } = original;
  const isOwned = made.uid === uid && made.gid === gid;
  if (!isOwned || ((made.mode ?? mode) & fileBits) !== (mode & fileBits)) {
    withDescriptor(real, made, (descriptor) => {
      if (!isOwned) tryTo(() => fchownSync(descriptor, uid, gid));
      tryTo(() => fchmodSync(descriptor, mode & fileBits));
    });
  }
  tryTo(() => copy.utimeSync(atimeMs / 1000, mtimeMs / 1000));
}

/** The same for a folder. */
export function giveFolderTraits(
  real: RealPath,
  made: Deno.FileInfo,
  original: Deno.FileInfo,
): void {
  withDescriptor(real, made, (descriptor) => {
    const { uid, gid, mode, atime, mtime } = original;
    if (uid !== null && gid !== null && (uid !== made.uid || gid !== made.gid)) {
      tryTo(() => fchownSync(descriptor, uid, gid));
    }
    const own = made.mode ?? 0;
    tryTo(() => fchmodSync(descriptor, ((mode ?? own) & folderBits) | (own & inherited)));
    tryTo(() => futimesSync(descriptor, seconds(atime), seconds(mtime)));
  });
}

/** Opens an entry once more, if it is the one that was made: `Deno.FsFile` can't do all. */
function withDescriptor(
  real: RealPath,
  made: Deno.FileInfo,
  action: (descriptor: number) => void,
): void {
  tryTo(() => {
    const descriptor = openSync(real, flags);
    try {
      const { ino, dev } = fstatSync(descriptor);
      if (ino === made.ino && dev === made.dev) action(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}

function seconds(time: Date | null): number {
  return (time?.getTime() ?? Date.now()) / 1000;
}

/** For what some systems and file systems do not have: the copy goes without it. */
function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // Not even that is worth failing for.
  }
}
