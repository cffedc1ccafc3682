import { type Growth, noGrowth, type Reservation } from "../../core/access/allowance.ts";
import type { OpenFolder } from "../../core/disk/disk.ts";
import type { WriteHandle } from "../../core/access/write_handle.ts";
import type { FormerFile, FormerFiles } from "./commit_upload.ts";
import { DomainError } from "../../../shared/errors.ts";
import { asRefusal } from "../../core/access/os_errors.ts";

/** Room that is reserved besides while a body of unknown length comes, in bytes. */
const spareBytes = 8 * 1024 * 1024;

/**
 * How much a file of a length adds to the scope before it is written, with the folders that it
 * lacks. What it replaces counts against it, unless that stays as a previous version.
 */
export async function growthOf(
  target: WriteHandle,
  length: number,
  formerFiles?: FormerFiles,
): Promise<Growth> {
  const replaced = await isKept(target, formerFiles) ? noGrowth : replacedBy(target);
  const files = 1 + target.missingParents;
  return { bytes: length - replaced.bytes, files: files - replaced.files };
}

/**
 * How much a file has added that was written, with the folders that were made for it.
 *
 * @param kept what it replaced, if that was kept
 */
export function growthBy(target: WriteHandle, length: number, kept: FormerFile | null): Growth {
  const replaced = kept ? noGrowth : replacedBy(target);
  const files = 1 + target.madeFolders;
  return { bytes: length - replaced.bytes, files: files - replaced.files };
}

/** Has room reserved for a body of unknown length before each piece of it is written. */
export function metered(
  reservation: Reservation,
  start: Growth,
): (piece: Uint8Array) => Promise<void> {
  let { bytes } = start;
  return async (piece) => {
    bytes += piece.length;
    await reservation.cover({ bytes, files: start.files }, { bytes: spareBytes, files: 0 });
  };
}

async function isKept({ existing }: WriteHandle, formerFiles?: FormerFiles): Promise<boolean> {
  const isFilled = existing?.info.isFile && existing.info.size > 0;
  return !!isFilled && !!formerFiles && await formerFiles.isOn();
}

function replacedBy({ existing }: WriteHandle): Growth {
  if (!existing) return noGrowth;
  return { bytes: existing.info.isFile ? existing.info.size : 0, files: 1 };
}

/**
 * Refuses a file that does not fit on the disk, before its first byte is read. What it replaces
 * stays until the file is complete, so the room of that does not count. The refusal names no sizes:
 * visitors of shares and requests read it.
 *
 * @param bytes that are to be written
 * @throws {DomainError} `disk_full`
 */
export async function assertFits(
  target: WriteHandle,
  bytes: number,
  action: string,
): Promise<void> {
  if (bytes <= 0) return;
  try {
    using folder = target.openTop();
    await assertRoom(folder, bytes, action);
  } catch (error) {
    throw asRefusal(error, action);
  }
}

/** The same for a folder. @throws {DomainError} `disk_full` */
export async function assertRoom(
  folder: OpenFolder,
  bytes: number,
  action: string,
): Promise<void> {
  if (bytes > 0 && bytes > await folder.free()) {
    throw new DomainError("disk_full", `${action}: it does not fit on the disk`);
  }
}
