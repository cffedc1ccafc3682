import type { WriteHandle } from "../../core/access/write_handle.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { unknownFacts } from "../../core/disk/facts.ts";
import { ROOT } from "../../../shared/path.ts";

/**
 * Sets the time at which an entry was changed last. The folder of a scope keeps its own: it is
 * reached through a folder outside of it.
 *
 * @param time in milliseconds since 1970
 * @throws {DomainError} `forbidden`, `not_found`, `read_only`
 */
export function setModified(target: WriteHandle, time: number): void {
  const { existing, name, path } = target;
  if (path === ROOT || !existing || existing.isBroken) return;
  const times = { ...unknownFacts("file"), atime: new Date(), mtime: new Date(time) };
  try {
    using folder = target.open();
    if (existing.info.isDirectory) {
      using itself = folder.folder(name);
      itself.setTimes(times);
    } else if (existing.info.isFile) {
      using file = folder.file(name, "write");
      file.setTimes(times);
    }
  } catch (error) {
    throw asRefusal(error, `Cannot set the time of "${path}"`);
  }
}
