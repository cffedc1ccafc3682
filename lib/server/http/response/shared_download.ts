import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { mediaTypes } from "../../../shared/schemas/choices/choices.ts";
import type { State } from "../define.ts";
import { statContent } from "../../files/content/open_content.ts";
import { termsOf } from "../../features/links/shares/share.ts";
import type { Download } from "../../features/links/shares/share_uses.ts";
import { noShareError } from "../../features/links/shares/shares.ts";
import { recordDownload } from "../request/activities.ts";
import { flagOption } from "../request/query.ts";
import { isContinued, type ShareVisit } from "../request/share_requests.ts";
import { downloadAnswer } from "./download_answer.ts";

/**
 * Answers the visitor of a share with a file or an archive, and counts it as a download where it is
 * one: an answer with content that the browser is to save. What a page shows in place is no
 * download, unless there is a limit, which no other way of reading may go round. HEAD, 304 and
 * errors count nothing.
 *
 * @throws DomainError as `downloadAnswer`; `forbidden` in a share whose files are only shown;
 * `not_found` beyond the limit
 */
export async function sharedDownload(ctx: Context<State>, visit: ShareVisit): Promise<Response> {
  const { access, path, settings, share } = visit;
  const { downloadLimit } = termsOf(share);
  // Asked before anything is told: errors, HEAD and 304 tell of the entry, and are not counted.
  if (await ctx.state.cubby.shares.uses.isUsedUp(share, downloadOf(ctx, visit))) {
    throw noShareError();
  }
  const query = ctx.url.searchParams;
  const isInline = flagOption(query, "inline");
  if (visit.may === "view") checkShown(visit, isInline, query.has("files"));
  const answer = await downloadAnswer(ctx, access, path, settings);
  if (isInline && downloadLimit === 0) return answer;
  return await counted(ctx, visit, answer);
}

/**
 * Counts an answer with a file as a download, if it has content.
 *
 * @throws DomainError `not_found` beyond the limit
 */
export async function counted(
  ctx: Context<State>,
  visit: ShareVisit,
  answer: Response,
): Promise<Response> {
  if (ctx.req.method !== "GET" || !answer.ok) return answer;
  const { access, path, share } = visit;
  const download = downloadOf(ctx, visit);
  const isContinued = download.isContinued && (answer.status === 206 || answer.body === null);
  try {
    await ctx.state.cubby.shares.uses.count(share, { ...download, isContinued });
  } catch (error) {
    await answer.body?.cancel();
    throw error;
  }
  recordDownload(ctx, access, path, visit);
  return answer;
}

function downloadOf(ctx: Context<State>, { path }: ShareVisit): Download {
  return {
    address: ctx.state.address,
    what: path + ctx.url.search.replace(/[?&]token=[^&]*/, ""),
    isContinued: isContinued(ctx.req),
  };
}

/** Refuses what serves saving rather than seeing: archives, attachments, files no page shows. */
function checkShown({ access, path }: ShareVisit, isInline: boolean, isChosen: boolean): void {
  const { name, isFolder } = access.stat(path);
  const isShown = !isFolder && mediaTypes.has(statContent(access, path).type);
  if (isInline && !isChosen && isShown) return;
  throw new DomainError("forbidden", `Cannot download "${name}": the share allows viewing only`);
}
