import { DomainError } from "../../../shared/errors.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import type { WriteHandle } from "../../core/access/write_handle.ts";

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
  let free;
  try {
    using folder = target.openTop();
    free = await folder.free();
  } catch (error) {
    throw asRefusal(error, action);
  }
  if (bytes > free) {
    throw new DomainError("disk_full", `${action}: it does not fit on the disk`);
  }
}
