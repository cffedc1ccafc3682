import type { Resource } from "../../../shared/api_types.ts";
import type { Access } from "../../access/access.ts";
import type { EntryHandle } from "../../access/entry_handle.ts";
import type { ContentWorker } from "../../workers/workers.ts";
import { findSubtitles } from "./find_subtitles.ts";
import { checksum } from "../content/checksum.ts";
import type { Description } from "./describe.ts";
import { entryOf, modifiedOf } from "./entries.ts";
import { etagOf } from "../content/etag.ts";
import { factsOf, lockOf } from "./folder_resource.ts";
import { isLarge } from "./large_folders.ts";
import { readStart } from "../content/text_content.ts";
import { type DescribedFile, describeUnicode } from "../content/text_resource.ts";
import { isAmbiguous } from "../content/types.ts";

/** The requested parts of a file's description beyond name, size and times. */
export interface FileOptions {
  content?: boolean;
  checksum?: string;
  signal?: AbortSignal;
  reserve?: (bytes: number) => Promise<void>;
}

/** Unicode texts up to this size, in bytes, are read in the serving thread. */
const shortText = 64 * 1024;

/** Memory of a long text in transit, in bytes: a few chunks in two threads. */
const heldByText = 1024 * 1024;

/**
 * Describes anything but a folder: a file, a broken link, or a pipe, socket or device, which is
 * never opened. With a checksum there is no text.
 *
 * @throws {DomainError} `invalid_option`, `forbidden` for a checksum without the permission to
 * download
 */
export async function describeFile(
  access: Access,
  contentWorker: ContentWorker,
  entry: EntryHandle,
  options: FileOptions,
): Promise<Description> {
  const { path, name, info } = entry;
  const { signal, reserve } = options;
  const sniffs = entry.isFile && isAmbiguous(name);
  const facts = factsOf(entry, sniffs ? readStart(access, path) : undefined);
  const lock = lockOf(access, path);
  const canModify = access.may("modify") && !lock.readOnly;
  const resource: Resource = { ...entryOf(facts, canModify), ...lock };
  if (options.checksum !== undefined) {
    resource.checksums = await checksum(access, contentWorker, path, options.checksum, {
      signal,
      reserve,
    });
  } else if (isText(resource) && options.content && access.may("download")) {
    return await withText(access, contentWorker, entry, { signal, reserve });
  }
  if (resource.type === "video") {
    resource.subtitles = findSubtitles(access, entry, (folder) => !isLarge(folder)) ??
      await contentWorker.find({ access, path }, { signal });
  }
  return describedBy({ resource, info });
}

/** Reads the text: in a Worker, unless it is short Unicode. */
async function withText(
  access: Access,
  contentWorker: ContentWorker,
  { path, info }: EntryHandle,
  { signal, reserve }: Pick<FileOptions, "signal" | "reserve">,
): Promise<Description> {
  const described = info.size <= shortText ? await describeUnicode(access, path, signal) : null;
  if (described) return describedBy(described);
  await reserve?.(heldByText);
  const { head, stream } = await contentWorker.describe({ access, path }, { signal });
  return { kind: "json", json: stream.read(), etag: head.etag, modified: new Date(head.modified) };
}

function describedBy({ resource, info }: DescribedFile): Description {
  return { kind: "resource", resource, etag: etagOf(info), modified: modifiedOf(info) };
}

function isText({ type }: Resource): boolean {
  return type === "text" || type === "textImmutable";
}
