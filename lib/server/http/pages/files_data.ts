import type { Context } from "fresh";
import { parsePath, parseUrlPath } from "../../../shared/path.ts";
import type { Resource } from "../../../shared/schemas/entry.ts";
import { shownMode } from "../../../shared/shown_mode.ts";
import {
  type Area,
  type FilesPageData,
  FIRST_ROWS,
  type FirstSteps,
} from "../../../shared/page_data.ts";
import type { State } from "../define.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import { DomainError } from "../../../shared/errors.ts";
import { firstTextBytes, readFirstText } from "../../files/content/first_text.ts";
import { describe, type DescribeOptions, resourceOf } from "../../files/listing/describe.ts";
import { accessFor } from "../request/access_for.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { serverClock } from "../request/server_clock.ts";
import { ratiosFor, sizesFor, takenFor, viewFor } from "../request/place_requests.ts";
import { sharedInFor } from "../request/lists/share_lists.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { statusOf } from "../openapi/statuses.ts";

/**
 * The folder or file that a files page shows, or the refusal to show it.
 *
 * @param area of the page
 * @throws {DomainError} `not_signed_in`
 */
export async function filesData(
  ctx: Context<State>,
  area: Area = "files",
): Promise<FilesPageData> {
  const { user } = signedInOf(ctx);
  const raw = ctx.url.pathname.slice(`${ctx.config.basePath}/${area}`.length);
  const about = area === "files" ? {} : { area };
  let path = "/";
  try {
    const at = parseUrlPath(raw).path;
    path = at;
    const options: DescribeOptions = {
      offset: 0,
      limit: FIRST_ROWS,
      sorting: user.sorting,
      groupBy: user.groupBy,
      timeZone: serverClock(ctx.req).timeZone,
      viewOf: viewFor(ctx),
      takenIn: takenFor(ctx, true),
      sizesIn: sizesFor(ctx),
      sharedIn: sharedInFor(ctx, user),
      signal: ctx.req.signal,
      reserve: (bytes) => reserveMemory(ctx, bytes),
    };
    const look = (more: Partial<DescribeOptions>) =>
      describe(accessFor(ctx), ctx.state.cubby, at, { ...options, ...more });
    let resource = await resourceOf(await look({}));
    if (isText(resource) && resource.size <= firstTextBytes) {
      // A short text comes along, so that the page asks for nothing more. It reserves no memory.
      const description = await look({ content: true, reserve: undefined });
      resource = { ...await resourceOf(description), version: description.etag };
    }
    const { sorting, groupBy } = resource;
    const isOfPhotos = sorting && shownMode(user, resource) === "mosaic gallery";
    const ratios = isOfPhotos && await ratiosFor(ctx, accessFor(ctx), at, { sorting, groupBy });
    return { ...about, path, resource, failure: null, ...ratios };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message } = error;
    const failure = { ok: false, status: statusOf(code), code, message } as const;
    return { ...about, path, resource: null, failure };
  }
}

function isText({ type }: Resource): boolean {
  return type === "text" || type === "textImmutable";
}

/** The beginning of an open text, for the first view of its page; null for what has none. */
export async function firstTextOf(
  ctx: Context<State>,
  { path, resource }: FilesPageData,
): Promise<string | null> {
  if (!resource || resource.isDir || !isText(resource)) return null;
  if (resource.content !== undefined) return resource.content;
  // The page says why it is refused as soon as it reads the text.
  return await unlessRefused(() => readFirstText(accessFor(ctx), parsePath(path).path));
}

/**
 * The steps that the first administrator of a new server is shown above the root folder; undefined
 * once all are done, or have been hidden.
 */
export async function firstStepsOf(
  ctx: Context<State>,
  { path, resource }: FilesPageData,
): Promise<FirstSteps | undefined> {
  const { user } = signedInOf(ctx);
  if (!user.firstSteps || !user.perm.admin || path !== "/" || !resource) return undefined;
  const { config, shares, users } = ctx.state.cubby;
  const steps: FirstSteps = {
    upload: (resource.numDirs ?? 0) + (resource.numFiles ?? 0) > 0,
    user: await users.count() > 1,
    share: await shares.isSharing(user.id),
  };
  if (user.hasPrintedPassword && config.authMethod === "json") steps.password = false;
  return Object.values(steps).includes(false) ? steps : undefined;
}
