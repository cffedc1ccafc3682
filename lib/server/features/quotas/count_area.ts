import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, ROOT } from "../../../shared/path.ts";
import type { FolderSize } from "../../../shared/schemas/size.ts";
import type { CountedArea, Growth } from "../../core/access/allowance.ts";
import type { Gate } from "../../core/access/gate.ts";
import { SERVER } from "../../core/access/viewer.ts";
import type { TrashRecords } from "../../files/trash/trash_records.ts";
import { foldersOf } from "./area_usage.ts";
import type { ListingWorker } from "../../files/workers/workers.ts";

/** The dependencies of a count. */
export interface CountParts {
  gate: Gate;
  listingWorker: Pick<ListingWorker, "measure" | "measureTrashed">;
  trash: Pick<TrashRecords, "parts" | "setSize">;
}

/** The result of a count. */
export interface Counted {
  found: Growth;
  /** Whether it came to its time limit before it had seen all. */
  isPartial: boolean;
}

/**
 * Counts what lies in an area, with what no rule lets its users see, and what is in their trash.
 * A link and a folder count as files without bytes; a folder that is not there is empty.
 *
 * @param userIds whose trash counts
 * @throws {DomainError} such as `disk_timeout`
 */
export async function countArea(
  parts: CountParts,
  area: CountedArea,
  userIds: readonly number[],
): Promise<Counted> {
  const found = { files: 0, bytes: 0 };
  let isPartial = false;
  for (const folder of foldersOf(area)) {
    const content = await measure(parts, folder);
    found.bytes += content.bytes;
    found.files += content.files + content.folders;
    isPartial ||= content.isPartial;
  }
  for (const userId of userIds) {
    for await (const entries of parts.trash.parts(userId)) {
      for (const entry of entries) {
        const content = entry.isDir && entry.entries === undefined
          ? await measureTrashed(parts, entry)
          : { bytes: entry.size, files: entry.entries ?? 1 };
        found.bytes += content.bytes;
        found.files += content.files;
      }
    }
  }
  return { found, isPartial };
}

async function measure({ gate, listingWorker }: CountParts, scope: EntryPath): Promise<FolderSize> {
  const access = gate.enter({ ...SERVER, scope });
  try {
    const options = { format: "json", isExact: true } as const;
    const { stream } = await listingWorker.measure({ access, path: ROOT, options });
    return JSON.parse(await new Response(stream.read()).text());
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "not_found")) throw error;
    return { bytes: 0, files: 0, folders: 0, unreadable: 0, isPartial: false };
  }
}

/** Measures a folder in the trash, whose record keeps that. One that is gone holds nothing. */
async function measureTrashed(
  { gate, listingWorker, trash }: CountParts,
  entry: Awaited<ReturnType<TrashRecords["list"]>>[number],
): Promise<Growth> {
  const content = await listingWorker.measureTrashed({ ...entry, spec: gate.spec() });
  if (content) await trash.setSize(entry, content);
  return content ?? { bytes: 0, files: 0 };
}
