/** What nothing may leave behind, whatever has cut it short. */
import { join } from "node:path";
import { Gate } from "../../lib/server/core/access/gate.ts";
import type { Store } from "../../lib/server/core/kv/store.ts";
import type { UploadPart } from "../../lib/server/files/upload/upload_parts.ts";
import { lookInTrash } from "../../lib/server/files/trash/trash_entries.ts";
import { TrashRecords } from "../../lib/server/files/trash/trash_records.ts";
import { configOf } from "../support/server/app_parts.ts";
import { uploadParts } from "../../lib/server/files/upload/upload_parts.ts";

/** Records of the trash without entries, and entries without records, on the root and on `disk`. */
export async function trashFaults(root: string, store: Store): Promise<string[]> {
  const records = await new TrashRecords(store).list();
  const spec = new Gate(configOf(root, root)).spec();
  const lost = records.filter((entry) => lookInTrash(spec, entry) !== "there");
  const known = new Set(records.map(({ id }) => id));
  const stray = ["", "disk"].flatMap((top) => namesIn(join(root, top, ".cubby-trash")))
    .filter((id) => !known.has(id));
  return [
    ...lost.map(({ id, path }) => `trash: the record ${id} of "${path}" has no entry`),
    ...stray.map((id) => `trash: the entry ${id} has no record`),
  ];
}

/** Temporary files and folders anywhere below a root, but those of uploads that can go on. */
export async function leftovers(root: string, store: Store): Promise<string[]> {
  const parts = await store.list<UploadPart>(uploadParts.prefix());
  const resting = new Set(parts.map(({ value }) => value.name));
  const found: string[] = [];
  const visit = (folder: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      const path = join(folder, name);
      if (name.startsWith(".cubby-upload-") && !resting.has(name)) found.push(`${path} is left`);
      else if (isDirectory) visit(path);
    }
  };
  visit(root);
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return [];
  }
}
