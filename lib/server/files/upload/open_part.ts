import type { WriteHandle } from "../../access/write_handle.ts";
import type { OpenFolder } from "../../disk/disk.ts";
import { isSameEntry } from "../../disk/facts.ts";
import { TemporaryFile } from "./temporary_file.ts";
import type { UploadPart } from "./upload_parts.ts";

/** An upload whose folder and file are open. */
export interface OpenPart extends Disposable {
  action: string;
  target: WriteHandle;
  folder: OpenFolder;
  temporary: TemporaryFile;
}

/** Opens the part of an upload that has arrived; null when the file is gone or replaced. */
export function openPart(target: WriteHandle, part: UploadPart, action: string): OpenPart | null {
  using stack = new DisposableStack();
  const folder = stack.use(target.open());
  const info = folder.look(part.name);
  // The number of the device is another on each machine.
  if (!info?.isFile || info.ino !== part.ino || info.size > part.length) return null;
  const temporary = stack.use(new TemporaryFile(folder, action, undefined, part.name));
  temporary.keep();
  if (!isSameEntry(temporary.facts(), info)) return null;
  const all = stack.move();
  return { action, target, folder, temporary, [Symbol.dispose]: () => all.dispose() };
}
