import type { Access } from "../../../core/access/access.ts";
import { unlessRefused } from "../../../../shared/unless_refused.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import type { Previews } from "./previews.ts";

/**
 * The ThumbHashes of files whose thumbnails are in the cache, in base64. What the viewer may not
 * download, or what is no file, is left out like what has none.
 *
 * @param paths as the viewer sent them, and as they were read
 */
export async function thumbHashes(
  previews: Previews,
  access: Access,
  paths: readonly (readonly [sent: string, path: EntryPath])[],
): Promise<Record<string, string>> {
  const found = await Promise.all(paths.map(async ([sent, path]) => {
    const hash = await hashOf(previews, access, path);
    return hash ? [[sent, hash.toBase64()]] : [];
  }));
  return Object.fromEntries(found.flat());
}

async function hashOf(
  previews: Previews,
  access: Access,
  path: EntryPath,
): Promise<Uint8Array | null> {
  return await unlessRefused(async () => {
    const { real, info } = access.read(path);
    return await previews.hashOf({ real, info });
  });
}
