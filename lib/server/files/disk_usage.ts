import { virtualTop } from "../core/access/names.ts";
import type { Usage } from "../../shared/schemas/entry.ts";
import type { Access } from "../core/access/access.ts";
import { asRefusal } from "../core/access/os_errors.ts";
import { slowMountsOf } from "../core/access/slow_mounts.ts";
import { unlessRefused } from "../../shared/unless_refused.ts";
import { type EntryPath, ROOT } from "../../shared/path.ts";
import type { QuotaUsage } from "../../shared/schemas/quota.ts";
import { realParent } from "../core/disk/real_path.ts";
import { disk } from "../core/disk/this_disk.ts";

/**
 * The size of the disk that holds an entry, and its used space, in bytes.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function diskUsage(access: Access, path: EntryPath): Promise<Usage> {
  const { real, isFolder } = access.stat(path);
  try {
    // Each of the roots may be on a disk of its own.
    if (real === virtualTop) return { total: 0, used: 0 };
    using folder = disk.folder(isFolder ? real : realParent(real));
    return await folder.usage();
  } catch (error) {
    throw asRefusal(error, `Cannot measure the disk of "${path}"`);
  }
}

/**
 * How much there is, and how much of it is in use, for the one who asks: of the quota of a viewer
 * who has one for bytes, or else of the disk.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function usageFor(access: Access, path: EntryPath): Promise<Usage> {
  const disk = await diskUsage(access, path);
  return withQuota(disk, await access.allowance?.usage());
}

/**
 * The usage of the root folder, for its pages: null where it is not known at once, as a quota was
 * never counted or the disk may hang, and where the folder cannot be read.
 */
export async function knownUsage(access: Access): Promise<Usage | null> {
  if (slowMountsOf(access, ROOT, "entry").length > 0) return null;
  const quota = await access.allowance?.knownUsage();
  if (quota === null) return null;
  return await unlessRefused(async () => {
    return withQuota(await diskUsage(access, ROOT), quota);
  });
}

function withQuota(disk: Usage, quota: QuotaUsage | undefined): Usage {
  if (!quota) return disk;
  const ofQuota = quota.bytes > 0 && { total: quota.bytes, used: quota.usedBytes ?? 0 };
  return { ...disk, ...ofQuota, quota };
}
