import type { Context } from "fresh";
import type { Access } from "../../core/access/access.ts";
import { type EntryPath, ROOT } from "../../../shared/path.ts";
import { readSelection } from "../../features/archive/selection.ts";
import type { State } from "../define.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import {
  type ContentInfo,
  type OpenContent,
  openContent,
  statContent,
} from "../../files/content/open_content.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import { archiveAnswer } from "./archive_answer.ts";
import { refuseAsCode } from "./downloads.ts";
import { offloadTarget } from "./offload.ts";
import { readPostedSelection } from "../request/body.ts";
import { flagOption } from "../request/query.ts";
import { sendFile } from "./send_file.ts";

/**
 * Answers with one file, or with a folder or its entries named by `files=` as an archive.
 *
 * @param access of a user, or of the visitor of a share
 * @throws DomainError as {@linkcode archiveAnswer} and {@linkcode sendFile}
 */
export async function downloadAnswer(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  { branding }: Settings,
): Promise<Response> {
  refuseAsCode(ctx.req);
  const query = ctx.url.searchParams;
  const file = query.has("files") ? chosenFile(path, query) : path;
  const content = file && await openOrStat(ctx.req.method, access, file);
  if (!content) return await archiveAnswer(ctx, access, path, rootName(access, branding));
  const inline = flagOption(query, "inline");
  return await sendFile(ctx.req, content, { inline, offload: offloadTarget(ctx) });
}

/**
 * Answers with the bytes of a text as no particular type: for a client that decodes them itself, as
 * File Browser's table of CSV files does.
 *
 * @throws DomainError as {@linkcode sendFile}; `forbidden` without the permission to download
 */
export async function textBytesAnswer(
  { req }: Context<State>,
  access: Access,
  path: EntryPath,
): Promise<Response> {
  refuseAsCode(req);
  const content = await openContent(access, path);
  return await sendFile(req, { ...content, mediaType: "application/octet-stream" }, {
    inline: true,
  });
}

/**
 * Answers with the entries of a folder that a form names, as an archive.
 *
 * @throws DomainError as {@linkcode archiveAnswer} and {@linkcode readPostedSelection}
 */
export async function chosenAnswer(
  ctx: Context<State>,
  access: Access,
  folder: EntryPath,
  { branding }: Settings,
): Promise<Response> {
  refuseAsCode(ctx.req);
  const posted = await readPostedSelection(ctx, folder);
  return await archiveAnswer(ctx, access, folder, rootName(access, branding), posted);
}

/** Name of an archive that is not named after a folder. */
function rootName(access: Access, { name }: Settings["branding"]): string {
  return access.stat(ROOT).name || name || "Cubby";
}

/** The only selected entry, with `direct=true`; null for an archive. */
function chosenFile(folder: EntryPath, query: URLSearchParams): EntryPath | null {
  if (!flagOption(query, "direct")) return null;
  const chosen = readSelection(folder, query.getAll("files"));
  return chosen?.length === 1 ? chosen[0] ?? null : null;
}

/** The file, open for GET and closed for HEAD; null for a folder. */
async function openOrStat(
  method: string,
  access: Access,
  path: EntryPath,
): Promise<ContentInfo | OpenContent | null> {
  const open = method === "HEAD" ? statContent : openContent;
  return await unlessRefused(() => open(access, path), "is_folder");
}
