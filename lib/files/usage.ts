import { statfs } from "node:fs/promises";
import type { Usage } from "../api_types.ts";
import type { Access } from "../access/access.ts";
import { asRefusal } from "../access/os_errors.ts";
import type { EntryPath } from "../access/path.ts";

/**
 * The size of the disk that holds an entry, and how much of it is taken, in bytes. The server needs
 * Deno's permission `--allow-sys=statfs`.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function diskUsage(access: Access, path: EntryPath): Promise<Usage> {
  const { real } = access.stat(path);
  try {
    const { bsize, blocks, bfree } = await statfs(real);
    return { total: blocks * bsize, used: (blocks - bfree) * bsize };
  } catch (error) {
    throw asRefusal(error, `Cannot measure the disk of "${path}"`);
  }
}
