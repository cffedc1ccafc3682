import type { Context } from "fresh";
import {
  encodePath,
  type EntryPath,
  nameOf,
  parentOf,
  parseUrlPath,
  ROOT,
} from "../../../shared/path.ts";
import {
  firstShareView,
  type PageData,
  type SharedNeighbours,
  type SharePageData,
} from "../../../shared/page_data.ts";
import type { Words } from "../../../shared/i18n/i18n.ts";
import type { Entry, Resource } from "../../../shared/schemas/entry.ts";
import type { Sorting } from "../../../shared/schemas/view.ts";
import type { State } from "../define.ts";
import {
  describe,
  type DescribeOptions,
  type Helpers,
  resourceOf,
} from "../../files/listing/describe.ts";
import { publicAddress } from "../middleware/client_address.ts";
import { readShareCookie } from "../request/auth/cookies.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { ratiosFor, takenFor } from "../request/place_requests.ts";
import { recordVisit } from "../request/activities.ts";
import { readsInPlace, shareTokenFor, visitShare } from "../request/share_requests.ts";
import { highestRight, termsOf } from "../../features/links/shares/share.ts";
import {
  includesRight,
  mediaTypes,
  type RecipientRight,
} from "../../../shared/schemas/choices/choices.ts";
import { remainingRight } from "../../features/links/shares/visit.ts";
import type { Access } from "../../core/access/access.ts";
import { DomainError } from "../../../shared/errors.ts";
import { countOption } from "../request/query.ts";

/** The longest text shown inline, in bytes: it is escaped at once with the page. */
const maxTextBytes = 512 * 1024;

/** Memory of a page with such a text, in bytes: the text, the page and the buffers for sending. */
const heldByPage = 4 * maxTextBytes;

/** Entries of a folder on the first page, in each further step, and in one search for neighbours. */
const step = 100;

/** Most entries on one page, which is rendered at once for any visitor. */
const maxEntries = 500;

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
  const window = readShareWindow(ctx.url.searchParams);
  const resource = await resourceOf(
    await describe(access, cubby, path, {
      ...window,
      sorting: owner.sorting,
      content: readsInPlace(visit) && access.stat(path).info.size <= maxTextBytes,
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
  const most = ctx.state.signedIn
    ? right
    : await remainingRight(share, highestRight(share, settings), options);
  const data: SharePageData = {
    hash: address,
    name: access.stat(parseUrlPath("/").path).name,
    resource,
    token: await shareTokenFor(ctx, share),
    first: firstNewOf(window),
    more: moreOf(window, total),
    link: publicAddress(ctx, `/share${encodePath(at)}`),
    owner: settings.hideShareOwner ? "" : owner.username,
    expire: share.expire,
    viewOnly: may === "view",
    mayAdd: includesRight(right, "upload") && resource.isDir,
    mayEdit: includesRight(right, "edit"),
    signInTo: most === right ? null : gainOf(most, resource),
    isLimited: downloadLimit !== 0,
    isUnfurled: linkPreview && share.passwordHash === null,
    around,
  };
  if (firstShareView(data) !== "photos") return data;
  await takenFor(ctx, true, access)(path);
  return { ...data, ...await ratiosFor(ctx, access, path, photoOrder) };
}

/** The order in which a page shows photos. */
const photoOrder = { sorting: { by: "taken", asc: false }, groupBy: "month" } as const;

/** The right that a sign-in adds on a page, of which it has something to offer. */
function gainOf(right: RecipientRight, { isDir }: Entry): SharePageData["signInTo"] {
  return right === "edit" || (right === "upload" && isDir) ? right : null;
}

/**
 * The data of the page for the code that shows files, or for the office server's; nothing where that code would show no more
 * than the page, where downloads are counted, since it reads files, and for a file that a view-only
 * share does not show.
 */
export function viewerData(
  { hash, token, name, viewOnly, owner, isLimited, mayEdit, resource, ratios }: SharePageData,
  isInOffice: boolean,
): Partial<PageData> {
  if (isLimited && !isInOffice) return {};
  const { path, isDir } = resource;
  const { items, content, ...file } = resource;
  const isShown = isInOffice || content !== undefined || mediaTypes.has(resource.type);
  if (viewOnly && !isDir && !isShown) return {};
  if (isDir && !items?.some(({ type }) => type === "image" || type === "audio")) return {};
  return {
    share: { hash, token, name, viewOnly, owner, mayEdit },
    files: { path, resource: isDir ? null : file, failure: null, ...ratios && { ratios } },
  };
}

/** The texts that nothing on the page of a share shows, by their first key. */
const unseenWords = new Set(
  "access activity contents drive external factors first invites mail passkeys settings tokens webhooks"
    .split(" "),
);

/** The texts that the browser may need on the page of a share. */
export function sharedWords(words: Words): Words {
  const seen = Object.entries(words).filter(([key]) => !unseenWords.has(key));
  return Object.fromEntries(seen) as Words;
}

/** Options of {@linkcode neighboursOf}. */
interface NeighbourOptions extends Pick<DescribeOptions, "signal" | "reserve"> {
  sorting: Sorting;
}

/**
 * Finds the files before and after a file of a share, in the order of its folder. Broken links are
 * skipped; a whole window of them ends the search.
 *
 * @param access of the visitor
 * @returns null for a file that is shared alone, or whose folder is denied
 * @throws DomainError `not_found`, `busy`
 */
async function neighboursOf(
  access: Access,
  helpers: Helpers,
  file: EntryPath,
  options: NeighbourOptions,
): Promise<SharedNeighbours | null> {
  if (file === ROOT) return null;
  try {
    return await findNeighbours(access, helpers, file, options);
  } catch (error) {
    // A rule may allow the file alone.
    if (error instanceof DomainError && error.code === "forbidden") return null;
    throw error;
  }
}

async function findNeighbours(
  access: Access,
  helpers: Helpers,
  file: EntryPath,
  options: NeighbourOptions,
): Promise<SharedNeighbours | null> {
  const read = async (window: Pick<DescribeOptions, "around" | "offset">) =>
    await resourceOf(
      await describe(access, helpers, parentOf(file), { ...options, ...window, limit: step }),
    );
  const here = await read({ around: nameOf(file) });
  const { items = [], offset = 0, numDirs = 0, numFiles = 0 } = here;
  const index = items.findIndex(({ path }) => path === file);
  if (index === -1) return null;
  const earlier = offset > numDirs ? () => read({ offset: Math.max(0, offset - step) }) : null;
  const end = offset + items.length;
  const later = end < numDirs + numFiles ? () => read({ offset: end }) : null;
  return {
    previous: await nearest(items.slice(0, index).reverse(), earlier, (more) => more.reverse()),
    next: await nearest(items.slice(index + 1), later, (more) => more),
    place: offset + index - numDirs + 1,
    count: numFiles,
  };
}

/** The first file of some entries, else of those in the next window. */
async function nearest(
  entries: readonly Entry[],
  readMore: (() => Promise<Resource>) | null,
  inOrder: (more: Entry[]) => Entry[],
): Promise<string | null> {
  const found = entries.find(isShown);
  if (found) return found.path;
  if (!readMore) return null;
  const { items = [] } = await readMore();
  return inOrder(items).find(isShown)?.path ?? null;
}

function isShown({ isDir, type }: Entry): boolean {
  return !isDir && type !== "invalid_link";
}

/** The entries of a shared folder that a page shows. */
interface ShareWindow {
  /** Number of entries before it. */
  offset: number;
  limit: number;
}

/**
 * Reads the window of a share's page: `from` and `show` in the query. The size is limited: a page
 * of a hundred thousand rows would block all other requests (CWE-400).
 *
 * @throws DomainError `invalid_option`
 */
function readShareWindow(query: URLSearchParams): ShareWindow {
  const limit = countOption(query, "show") ?? step;
  return { offset: countOption(query, "from") ?? 0, limit: Math.min(limit, maxEntries) };
}

/** Index on a page of the first entry that the page before it did not show. */
function firstNewOf({ limit }: ShareWindow): number {
  return Math.max(0, limit - step);
}

/**
 * The query for more entries: on this page or, once it is full, on the next.
 *
 * @param total number of entries in the folder
 * @returns null when there are no more
 */
function moreOf({ offset, limit }: ShareWindow, total: number): string | null {
  if (offset + limit >= total) return null;
  const isFull = limit >= maxEntries;
  const from = isFull ? offset + limit : offset;
  const query = new URLSearchParams(from > 0 ? { from: String(from) } : {});
  if (!isFull) query.set("show", String(Math.min(limit + step, maxEntries)));
  return `?${query}`;
}
