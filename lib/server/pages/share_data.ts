import type { Context } from "fresh";
import { parseUrlPath } from "../../shared/path.ts";
import type { SharePageData } from "../../shared/api_types.ts";
import type { State } from "../define.ts";
import { describe, resourceOf } from "../files/listing/describe.ts";
import { publicOrigin } from "../http/middleware/client_address.ts";
import { readShareCookie } from "../http/request/auth/cookies.ts";
import { reserveMemory } from "../http/middleware/heavy_answers.ts";
import { recordVisit } from "../http/request/activities.ts";
import { visitShare } from "../http/request/share_requests.ts";
import { encodePath } from "../../shared/path.ts";
import { termsOf } from "../shares/share.ts";
import { includesRight } from "../../shared/schemas/choices/choices.ts";
import { remainingRight } from "../shares/visit.ts";
import { shareTokenOf } from "../shares/visit.ts";
import { neighboursOf } from "./share_neighbours.ts";
import { firstNewOf, moreOf, readShareWindow } from "./share_window.ts";

/** The longest text shown inline, in bytes: it is escaped at once with the page. */
const maxTextBytes = 512 * 1024;

/** Memory of a page with such a text, in bytes: the text, the page and the buffers for sending. */
const heldByPage = 4 * maxTextBytes;

/**
 * The data of a share's page.
 *
 * @param password the password from the form; "" for none
 * @throws DomainError as `visitShare`; `invalid_option`
 */
export async function shareData(ctx: Context<State>, password = ""): Promise<SharePageData> {
  const { cubby } = ctx.state;
  const { path: at } = parseUrlPath(ctx.url.pathname.slice(`${ctx.config.basePath}/share`.length));
  const credentials = { token: readShareCookie(ctx.req.headers) ?? null, password };
  const visit = await visitShare(ctx, at, credentials);
  const { access, address, owner, path, settings, share, may } = visit;
  const { downloadLimit, linkPreview } = termsOf(share);
  recordVisit(ctx, "share_visit", visit);
  // A text on the page is as good as a download, which a limit counts.
  const isReadable = downloadLimit === 0 || may === "view";
  const window = readShareWindow(ctx.url.searchParams);
  const resource = await resourceOf(
    await describe(access, cubby, path, {
      ...window,
      sorting: owner.sorting,
      content: isReadable && access.stat(path).info.size <= maxTextBytes,
      signal: ctx.req.signal,
      reserve: (bytes) => reserveMemory(ctx, Math.max(bytes, heldByPage)),
    }),
  );
  const around = resource.isDir ? null : await neighboursOf(access, cubby, path, {
    sorting: owner.sorting,
    signal: ctx.req.signal,
    reserve: (bytes) => reserveMemory(ctx, Math.max(bytes, heldByPage)),
  });
  const total = (resource.numDirs ?? 0) + (resource.numFiles ?? 0);
  await cubby.shares.uses.recordVisit(share);
  const options = { gate: cubby.gate, users: cubby.users, settings };
  const right = await remainingRight(share, may, options);
  return {
    hash: address,
    name: access.stat(parseUrlPath("/").path).name,
    resource,
    token: await shareTokenOf(cubby.key, share),
    first: firstNewOf(window),
    more: moreOf(window, total),
    link: `${originOf(ctx)}${ctx.config.basePath}/share${encodePath(at)}`,
    owner: settings.hideShareOwner ? "" : owner.username,
    expire: share.expire,
    viewOnly: may === "view",
    mayAdd: includesRight(right, "upload") && resource.isDir,
    mayEdit: includesRight(right, "edit"),
    isLimited: downloadLimit !== 0,
    isUnfurled: linkPreview && share.passwordHash === null,
    around,
  };
}

function originOf(ctx: Context<State>): string {
  const { host, https } = publicOrigin(ctx.info, ctx.req, ctx.state.cubby.config.trustedProxies);
  return `${https ? "https" : "http"}://${host}`;
}
