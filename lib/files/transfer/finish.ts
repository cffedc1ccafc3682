import { realChild, type RealPath } from "../../access/real_path.ts";
import type { Steps } from "../steps.ts";
import type { BuiltFolder } from "./build.ts";
import { giveFolderTraits } from "./traits.ts";

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
  if (!source.into) giveFolderTraits(real, info, source.folder.info);
  if (isSynced) syncFolder(real);
  yield;
}

/** Waits until a folder's record of its entries is safe on the disk, where systems can do that. */
export function syncFolder(real: RealPath): void {
  try {
    using folder = Deno.openSync(real, { read: true });
    folder.syncSync();
  } catch {
    // Windows opens no folders.
  }
}
