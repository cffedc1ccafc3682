import { DomainError } from "../../../shared/errors.ts";
import type { Access } from "../../core/access/access.ts";
import { childOf, type EntryPath } from "../../../shared/path.ts";
import type { WriteHandle } from "../../core/access/write_handle.ts";
import { etagOf, ifMatchHolds } from "../content/open_content.ts";
import { assertFits, growthBy, growthOf, metered } from "./growth.ts";
import { IdleTimeout, maxStallMs } from "./idle_timeout.ts";
import { commitUpload, type FormerFiles } from "./commit_upload.ts";
import {
  type FillOptions,
  smallBody,
  streamOf,
  TemporaryFile,
  type UploadBody,
} from "./temporary_file.ts";

/** Options of an upload. */
export interface UploadOptions {
  /** Replace an existing file. Needs the permission to modify as well. */
  override: boolean;
  /** The `If-Match` header: the existing file must have one of these tags. */
  ifMatch?: string;
  /** The announced number of bytes; another count is `invalid_body`. */
  expectedLength?: number;
  /** How a streamed body is converted while it comes. */
  conversion?: Conversion;
  /** The time that the file is to have, in milliseconds since 1970; now unless given. */
  modified?: number;
  /** Keeps a file that is replaced. */
  formerFiles?: FormerFiles;
  /** Called with each piece of the body in turn, while it is written: for a checksum. */
  onPiece?: (piece: Uint8Array<ArrayBuffer>) => void;
  /**
   * Called when the body has come, before the file takes its name: it throws to refuse that, and may
   * return the `If-Match` that holds at that very moment.
   *
   * @param etag tells what the file will have, unless its time is set
   */
  confirm?: (etag: () => string) => Promise<string | void>;
  /** Aborted when the client disconnects; nothing is left behind. */
  signal?: AbortSignal;
  /** Idle timeout of the body, in milliseconds. */
  stallMs?: number;
}

/** The conversion of a body; how many bytes it results in is not known. */
export interface Conversion {
  by: TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;
  /** The announced bytes before it, for which the disk must have room; 0 for unknown. */
  length: number;
  /** The fewest bytes after it. */
  minBytes: number;
}

/** The file that was written. */
export interface Written {
  etag: string;
  /** Its path below the server root. */
  place: EntryPath;
}

/** Result of an upload. */
export interface Uploaded extends Written {
  /** No entry had the name before. */
  created: boolean;
}

/**
 * Writes a file under a name, committed atomically at the end: until then the former file is
 * untouched, and a failure leaves nothing behind. Missing parents are made. The new file inherits a
 * replaced one's mode.
 *
 * @throws {DomainError} `exists`, `is_folder`, `forbidden`, `precondition_failed`, `invalid_body`,
 * `invalid_name`, `not_a_file` (a pipe, socket or device has the name), `disk_full`, `over_quota`,
 * `read_only`
 */
export async function uploadFile(
  access: Access,
  path: EntryPath,
  body: UploadBody | null,
  options: UploadOptions,
): Promise<Uploaded> {
  const target = access.create(path);
  const isTaken = target.existing !== null;
  if (isTaken && options.override) access.need(`Cannot replace "${path}"`, "modify");
  const mayReplace = options.override && access.may("modify");
  const written = await write(access, target, body, { ...options, mayReplace });
  return { ...written, created: !isTaken };
}

/**
 * Writes new content into an existing file, as atomically as {@link uploadFile}.
 *
 * @throws {DomainError} as {@link uploadFile}, and `not_found`
 */
export async function saveFile(
  access: Access,
  path: EntryPath,
  body: UploadBody | null,
  options: Omit<UploadOptions, "override">,
): Promise<Written> {
  const target = access.modify(path);
  if (target.existing?.isBroken) {
    throw new DomainError("not_found", `Cannot save "${path}": the link leads nowhere`);
  }
  return await write(access, target, body, { ...options, mayReplace: true });
}

interface WriteOptions extends Omit<UploadOptions, "override"> {
  mayReplace: boolean;
}

async function write(
  access: Access,
  target: WriteHandle,
  body: UploadBody | null,
  options: WriteOptions,
): Promise<Written> {
  const action = `Cannot write "${target.path}"`;
  checkTarget(target, options, action);
  const { expectedLength, conversion, formerFiles } = options;
  const announced = expectedLength ?? conversion?.length ?? 0;
  // The disk refuses a small file as soon as it is written.
  if (announced > smallBody) await assertFits(target, announced, action);
  const minBytes = expectedLength ?? conversion?.minBytes ?? 0;
  const growth = await growthOf(target, minBytes, formerFiles);
  await using reservation = await access.allowance?.reserve(growth, action);
  const start = { ...growth, bytes: growth.bytes - minBytes };
  const isMetered = reservation && expectedLength === undefined;
  await access.journal?.remember(target.folderBelowRoot);
  let isDone = false;
  try {
    using folder = target.open();
    const former = expectedLength !== undefined && expectedLength <= smallBody ? null : undefined;
    using temporary = new TemporaryFile(folder, action, target.fileMode, former);
    const bytes = conversion ? streamOf(body)?.pipeThrough(conversion.by) ?? null : body;
    const meter = isMetered ? metered(reservation, start) : undefined;
    await fill(temporary, bytes, action, { ...options, admit: meter });
    const etag = () => etagOf(temporary.facts());
    const ifMatch = await options.confirm?.(etag) ?? options.ifMatch;
    if (options.modified !== undefined) temporary.setModified(options.modified);
    target.assertInPlace(folder);
    const naming = ifMatch === undefined ? options : { ...options, ifMatch };
    const kept = await commitUpload(temporary, folder, target, naming, action);
    isDone = true;
    await reservation?.settle(growthBy(target, temporary.facts().size, kept));
    await target.sync(folder);
    const place = childOf(target.folderBelowRoot, target.name);
    return { etag: etag(), place };
  } finally {
    if (!isDone) target.removeMadeParents();
  }
}

/** Receives the body, with an idle timeout. */
async function fill(
  temporary: TemporaryFile,
  body: UploadBody | null,
  action: string,
  { expectedLength, signal, stallMs = maxStallMs, admit, onPiece }: WriteOptions & FillOptions,
): Promise<void> {
  const size = () => temporary.facts().size;
  using watch = new IdleTimeout(size, stallMs, signal);
  await temporary.fill(body, action, { expectedLength, signal: watch.signal, admit, onPiece });
}

/**
 * Refuses early, before the body is read, where possible.
 *
 * @throws {DomainError} `is_folder`, `exists`, `not_a_file`, `precondition_failed`
 */
export function checkTarget(
  { existing }: WriteHandle,
  options: Pick<WriteOptions, "mayReplace" | "ifMatch">,
  action: string,
): void {
  const file = existing?.info.isFile ? existing.info : null;
  if (existing?.info.isDirectory) throw new DomainError("is_folder", `${action}: it is a folder`);
  if (existing && !options.mayReplace) {
    throw new DomainError("exists", `${action}: the name is taken`);
  }
  if (existing && !file && !existing.isBroken) {
    throw new DomainError("not_a_file", `${action}: it is not a regular file`);
  }
  const { ifMatch } = options;
  if (ifMatch !== undefined && !ifMatchHolds(ifMatch, file && etagOf(file))) {
    throw new DomainError("precondition_failed", `${action}: the file has changed`);
  }
}
