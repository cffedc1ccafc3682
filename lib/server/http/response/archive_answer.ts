import type { Context } from "fresh";
import type { Access } from "../../core/access/access.ts";
import { type EntryPath, nameOf } from "../../../shared/path.ts";
import { type Format, readFormat, readLevel } from "../../features/archive/format.ts";
import { readSelection } from "../../features/archive/selection.ts";
import type { State } from "../define.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { flagOption } from "../request/query.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { OpenArchive } from "../../features/archive/archives.ts";
import type { ArchiveFacts } from "../../features/archive/order.ts";
import type { ByteRange } from "./byte_ranges.ts";
import { chooseRanges, downloadHeaders, notModified, setRange } from "./downloads.ts";

/**
 * Timeout for computing the length of a stored zip, in milliseconds. It suffices for some ten
 * thousand entries; larger trees are sent without a length.
 */
const timeoutMs = 50;

/**
 * Memory of a stored zip's plan, in bytes: for each entry, and while planning without a timeout.
 */
const heldByEntry = 300;
const heldByPlanning = 8 * 1024 * 1024;

/** Headers that can be answered only when the length or the ETag is known. */
const needing = ["range", "if-match", "if-none-match"];

/**
 * Answers with a folder, or its entries named by `files=`, as an archive of the format `algo`.
 *
 * A zip is stored unless `compress=true` asks for deflate: only in a stored one is the position of
 * each byte known in advance. So it has a `Content-Length` and an `ETag`, and a client can resume a
 * download that broke at 9 of 10 GB with `Range`. It is also several times faster to make, and most
 * large files, pictures, films and archives, do not shrink. For slow connections there are
 * `tar.zst` and the other formats.
 *
 * @param rootName name of an archive of several entries, or of the root
 * @param posted the entries that a form names. Ranges and conditions are then ignored: they are
 * defined for GET and HEAD alone
 * @throws DomainError `invalid_option`, `invalid_path`, `forbidden`, `not_found`, `not_a_file`,
 * `not_supported`, `precondition_failed`, `busy`
 */
export async function archiveAnswer(
  ctx: Context<State>,
  access: Access,
  folder: EntryPath,
  rootName: string,
  posted?: EntryPath[],
): Promise<Response> {
  const { url, state: { cubby } } = ctx;
  const { signal } = ctx.req;
  const req = posted ? new Request(url, { signal }) : ctx.req;
  const query = url.searchParams;
  const format = readFormat(query.get("algo"));
  const chosen = posted ?? readSelection(folder, query.getAll("files"));
  const deflate = flagOption(query, "compress");
  const level = readLevel(query.get("level"));
  // For a range, HEAD or a condition, the length and ETag matter more than an early response.
  const isPatient = req.method === "HEAD" || needing.some((name) => req.headers.has(name));

  await reserveMemory(ctx, isPatient ? format.held + heldByPlanning : format.held);
  const archive = await cubby.archives.open(access, {
    ...{ folder, chosen, format, deflate, level },
    timeoutMs: isPatient ? Infinity : timeoutMs,
  }, signal);
  try {
    await reserveMemory(ctx, format.held + (archive.facts?.entries ?? 0) * heldByEntry);
  } catch (error) {
    archive.download.cancel();
    throw error;
  }
  return sendArchive(req, archive, {
    name: fileName(format, folder, chosen, rootName),
    mediaType: format.mediaType,
    isResumable: format.container === "zip" && !deflate,
  }, (error) => {
    const reason = error instanceof Error ? error.message : String(error);
    cubby.log.line(`Broke off: ${ctx.req.method} ${url.pathname}: ${reason}`, "error");
  });
}

function fileName(
  { extension }: Format,
  folder: EntryPath,
  chosen: EntryPath[] | null,
  rootName: string,
): string {
  const [only, second] = chosen ?? [folder];
  return (only === undefined || second ? rootName : nameOf(only) || rootName) + extension;
}

/** Name and headers of an archive. */
interface ArchiveLabel {
  /** With its extension. */
  name: string;
  mediaType: string;
  /** Whether ranges of it can be requested, if not of this response, then later. */
  isResumable: boolean;
}

/**
 * Answers a GET or HEAD with an open archive. A planned one supports conditions, has a length, and
 * is sent in whole or as one range; for several ranges the whole is sent, which RFC 9110 (14.2)
 * leaves to the server. Others are streamed without a length. An error after the headers aborts the
 * connection.
 *
 * @param onFailure called with the error that aborted the connection
 * @throws DomainError `precondition_failed`
 */
function sendArchive(
  req: Request,
  { facts, download }: OpenArchive,
  label: ArchiveLabel,
  onFailure: (error: unknown) => void,
): Response {
  let isSent = false;

  function onBreak(error: unknown): unknown {
    onFailure(error);
    // Deno logs it, too: for an error that is not the server's, a sentence is enough.
    return error instanceof DomainError ? error.message : error;
  }

  function answer(status: number, headers: Headers, part: ByteRange | null): Response {
    isSent = req.method !== "HEAD";
    const body = isSent ? download.read(part, { onBreak }) : null;
    return new Response(body, { status, headers });
  }

  try {
    const headers = downloadHeaders(label, { ranges: label.isResumable });
    headers.set("content-type", label.mediaType);
    return facts ? plannedAnswer(req, facts, headers, answer) : answer(200, headers, null);
  } finally {
    if (!isSent) download.cancel();
  }
}

function plannedAnswer(
  req: Request,
  { size, etag }: ArchiveFacts,
  headers: Headers,
  answer: (status: number, headers: Headers, part: ByteRange | null) => Response,
): Response {
  headers.set("etag", etag);
  // Archives have no date: conditions with one are ignored.
  const validators = { etag, modified: new Date(NaN) };
  const unchanged = notModified(req, validators, headers, "archive");
  if (unchanged) return unchanged;
  headers.set("content-length", String(size));
  const ranges = req.method === "GET" ? chooseRanges(req, validators, size, "archive") : "whole";
  if (ranges instanceof Response) return ranges;
  const [range, second] = ranges === "whole" ? [] : ranges;
  if (!range || second) return answer(200, headers, null);
  setRange(headers, range, size);
  return answer(206, headers, range);
}
