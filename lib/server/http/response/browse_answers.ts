import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, parsePath } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import type { Sorting } from "../../../shared/schemas/view.ts";
import type { State } from "../define.ts";
import { mediaTypeOf } from "../../files/content/types.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { preferenceOf } from "../jobs/job_requests.ts";
import { countOption, flagOption, sortingOption } from "../request/query.ts";
import { jsonAnswer } from "./answers.ts";
import { downloadHeaders, notModified, refuseAsCode } from "./downloads.ts";

/** Rows of a folder of an archive, unless the request asks for fewer, and at most. */
const usualRows = 1_000;
const maxRows = 10_000;

/** Memory of a row on its way, in bytes; and of a file's content, whatever its codec. */
const heldPerRow = 500;
const heldByContent = 8 * 1024 * 1024;

/**
 * Answers with some rows of a folder in an archive; 202 with how far the archive has been read when
 * that takes longer than the client prefers to wait.
 *
 * @param usual the order, unless the request says another
 * @throws DomainError `invalid_option`, `invalid_path`, `busy`, and as `list()` of the Worker
 */
export async function archiveFolderAnswer(
  ctx: Context<State>,
  access: Access,
  archive: EntryPath,
  usual: Sorting,
): Promise<Response> {
  const { req, url: { searchParams: query }, state: { cubby } } = ctx;
  const limit = Math.min(countOption(query, "limit") ?? usualRows, maxRows);
  const { isAsync, waitMs } = preferenceOf(req);
  const order = {
    ...{ access, archive },
    inside: parsePath(query.get("inside") ?? "/").path,
    sorting: sortingOption(query, usual),
    offset: countOption(query, "offset") ?? 0,
    limit,
    waitMs: isAsync ? waitMs : null,
  };
  access.read(archive);
  await reserveMemory(ctx, limit * heldPerRow);
  const listed = await cubby.archiveBrowser.list(order, req);
  if ("folder" in listed) return jsonAnswer(listed.folder);
  return jsonAnswer(listed, { status: 202, headers: { "preference-applied": "respond-async" } });
}

/** The media type of a text tells its encoding; what is none in spite of its name is only bytes. */
function mediaTypeIn(name: string, encoding: string | null | undefined): string {
  if (encoding === undefined) return mediaTypeOf(name);
  if (encoding === null) return "application/octet-stream";
  return mediaTypeOf(name).replace(/charset=.*$/, `charset=${encoding}`);
}

/**
 * Answers with a file out of an archive, under the same safety headers as any file. An error after
 * the headers aborts the connection.
 *
 * @param text the path in the archive
 * @throws DomainError `invalid_path`, `precondition_failed`, `busy`, and as `read()` of the Worker
 */
export async function archivedFileAnswer(
  ctx: Context<State>,
  access: Access,
  archive: EntryPath,
  text: string,
): Promise<Response> {
  const { req, url, state: { cubby } } = ctx;
  refuseAsCode(req);
  const { path: entry, folder } = parsePath(text);
  if (folder) throw new DomainError("is_folder", `Cannot send "${entry}": it is a folder`);
  access.read(archive);
  await reserveMemory(ctx, heldByContent);
  const { head, stream } = await cubby.archiveBrowser.read({ access, archive, entry }, req);
  let isSent = false;
  try {
    const { name, size, etag, modified, encoding } = head;
    const mediaType = mediaTypeIn(name, encoding);
    const inline = flagOption(url.searchParams, "inline");
    const headers = downloadHeaders({ name, mediaType }, { inline, ranges: false });
    headers.set("etag", etag);
    const validators = { etag, modified: new Date(modified ?? NaN) };
    const unchanged = notModified(req, validators, headers, "file");
    if (unchanged) return unchanged;
    headers.set("content-type", mediaType);
    headers.set("content-length", String(size));
    isSent = req.method !== "HEAD";
    const onBreak = (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      cubby.log.line(`Broke off: ${req.method} ${url.pathname}: ${reason}`, "error");
      return error instanceof DomainError ? error.message : error;
    };
    return new Response(isSent ? stream.read(undefined, { onBreak }) : null, { headers });
  } finally {
    if (!isSent) stream.cancel();
  }
}
