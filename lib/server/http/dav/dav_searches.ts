import type { Context } from "fresh";
import {
  type EntryPath,
  isInside,
  parsePath,
  parseUrlPath,
  percentDecoded,
  ROOT,
} from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Access } from "../../core/access/access.ts";
import { ClientReader } from "../../features/dav/client_facts.ts";
import { clientForm } from "../../features/dav/client_properties.ts";
import { DavRefusal } from "../../features/dav/dav_refusal.ts";
import { hrefOf } from "../../features/dav/describe_entries.ts";
import { entryWriter } from "../../features/dav/multistatus.ts";
import { pathInView } from "../../features/dav/paths_in_view.ts";
import { entryAt } from "../../features/dav/places.ts";
import type { PropertyQuery } from "../../features/dav/propfind.ts";
import { type Condition, meets } from "../../features/dav/search/condition.ts";
import { findEntries, type SearchTools } from "../../features/dav/search/find_entries.ts";
import {
  type DavSearch,
  maxResults,
  readReport,
  readSearch,
} from "../../features/dav/search/read_search.ts";
import { withTaken } from "../../features/previews/media/taken_results.ts";
import { modifiedOf } from "../../files/listing/entries.ts";
import { heldBySearch } from "../../files/search/search.ts";
import type { State } from "../define.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "../request/access_for.ts";
import { readBody } from "../request/body.ts";
import { clientTools, pathOfId } from "./client_requests.ts";
import { davPath, davPrefix } from "./dav_address.ts";
import { lockDescriber, xmlLimits } from "./dav_locks.ts";
import { multistatusAnswer } from "./dav_properties.ts";

/** The length of a chunk, in characters. */
const chunkLength = 32 * 1024;

/**
 * For how long a search reads photos that were not read before, in milliseconds. Apps wait for a
 * minute, and ask for one page after the other: dates that become known in between would move photos
 * from page to page.
 */
const takenReadMs = 10_000;

/** Memory of the path of a result. */
const heldPerResult = 300;

/** REPORT: the favourites, or files by their ids. Other reports are refused (RFC 3253, 3.6). */
export async function reportEntries(ctx: Context<State>): Promise<Response> {
  const filter = await readReport(await readBody(ctx, xmlLimits));
  if (!filter) {
    const message = "Cannot make the report: there is none of this kind";
    throw new DavRefusal("unknown_report", "forbidden", message);
  }
  const access = accessFor(ctx);
  const { path } = davPath(ctx);
  access.folder(path);
  const favorites = await favoritePaths(ctx, access);
  const found = filter.ids.length > 0 ? await pathsOfIds(ctx, access, filter.ids) : favorites;
  const starred = new Set(favorites);
  const wanted = found.filter((each) =>
    isInside(each, path) && (!filter.isFavorite || starred.has(each))
  );
  return describe(ctx, access, filter.query, wanted, davPrefix(ctx));
}

/** SEARCH (RFC 5323): by name, type, time, size and star, as phone apps ask for media. */
export async function searchEntries(ctx: Context<State>): Promise<Response> {
  const wanted = await readSearch(await readBody(ctx, xmlLimits));
  const access = accessFor(ctx);
  const folder = scopeOf(ctx, wanted.scope);
  access.folder(folder);
  const { listingWorker } = ctx.state.cubby;
  const { user } = signedInOf(ctx);
  const conditions = wanted.where ? allOf(wanted.where) : [];
  const id = conditions.find(isId);
  const isStarred = conditions.some((each) =>
    each.kind === "number" && each.field === "favorite" && each.how === "eq" && each.value === 1
  );
  await reserveMemory(ctx, heldBySearch + Math.min(wanted.limit, maxResults) * heldPerResult);
  const some = id
    ? await pathsOfIds(ctx, access, [String(id.value)])
    : isStarred
    ? await favoritePaths(ctx, access)
    : null;
  const found = some
    ? filtered(access, some.filter((path) => isInside(path, folder)), wanted, user.username, {
      isFavorite: isStarred,
      id: id?.value ?? NaN,
    })
    : await findEntries(
      {
        ...{ access, listingWorker, owner: user.username, signal: ctx.req.signal },
        ...access.may("download") && { withTaken: takenIn(ctx, access, folder) },
        favorites: new Set(
          (await ctx.state.cubby.favorites.lists.get(user.id)).map(({ place }) => place),
        ),
      },
      folder,
      wanted,
    );
  const prefix = `${ctx.config.basePath}/remote.php/dav/files/${encodeURIComponent(user.username)}`;
  return describe(ctx, access, wanted.query, found, prefix);
}

/** Completes the results of a search by when pictures and videos were taken. */
function takenIn(ctx: Context<State>, access: Access, path: EntryPath): SearchTools["withTaken"] {
  const { media } = ctx.state.cubby;
  const options = {
    ...{ path, query: { date: null, timeZone: "UTC" }, details: true, tells: true, isZoned: true },
    ...{ readMs: takenReadMs, signal: ctx.req.signal },
  };
  return (lines) => withTaken(lines, media, access, options);
}

function isId(condition: Condition): condition is Extract<Condition, { kind: "number" }> {
  return condition.kind === "number" && condition.field === "id" && condition.how === "eq";
}

function allOf(condition: Condition): Condition[] {
  return condition.kind === "and" ? condition.of.flatMap(allOf) : [condition];
}

/** Those of a few entries that meet a search. */
function filtered(
  access: Access,
  paths: readonly EntryPath[],
  { where, limit, offset }: DavSearch,
  owner: string,
  known: { isFavorite: boolean; id: number },
): EntryPath[] {
  return paths.filter((path) => {
    const entry = entryIfThere(access, path);
    if (!entry) return false;
    const { name, info, isFolder } = entry;
    const modified = modifiedOf(info).getTime();
    const facts = { name, isFolder, size: info.size, modified, taken: modified, owner };
    return !where || meets(where, { ...facts, ...known });
  }).slice(offset, offset + limit);
}

/** The paths of the user's favourites. */
async function favoritePaths(ctx: Context<State>, access: Access): Promise<EntryPath[]> {
  const stored = await ctx.state.cubby.favorites.lists.get(signedInOf(ctx).user.id);
  return stored.flatMap(({ place }) => pathInView(access.viewer, place) ?? []);
}

async function pathsOfIds(
  ctx: Context<State>,
  access: Access,
  ids: readonly string[],
): Promise<EntryPath[]> {
  const found: EntryPath[] = [];
  for (const id of ids) {
    const path = await pathOfId(ctx, access, id);
    if (path !== null) found.push(path);
  }
  return found;
}

/**
 * The folder that the scope of a search names: `/files/anna/Photos`, with or without the address of
 * WebDAV before it.
 *
 * @throws DomainError `not_found` for another user's files
 */
function scopeOf(ctx: Context<State>, href: string): EntryPath {
  const path = URL.parse(href)?.pathname ?? href;
  const base = `${ctx.config.basePath}/remote.php/dav`;
  const below = path.startsWith(`${base}/`) ? path.slice(base.length) : path;
  if (below === "" || below === "/") return ROOT;
  const [, user, rest = "/"] = /^\/files\/([^/]+)(\/.*)?$/.exec(below) ?? [];
  const { username } = signedInOf(ctx).user;
  if (user !== undefined && [user, percentDecoded(user)].includes(username)) return pathIn(rest);
  throw new DomainError("not_found", `Cannot search in "${href}": it is not there`);
}

/** Clients send it percent-encoded, or as it is. */
function pathIn(text: string): EntryPath {
  return percentDecoded(text) === null ? parsePath(text).path : parseUrlPath(text).path;
}

/** A multistatus with some entries, in their order, which is made while it is sent. */
function describe(
  ctx: Context<State>,
  access: Access,
  query: PropertyQuery,
  paths: readonly EntryPath[],
  prefix: string,
): Response {
  const chunks = multistatusOf(ctx, access, query, paths, prefix);
  return multistatusAnswer(ReadableStream.from(chunks).pipeThrough(new TextEncoderStream()));
}

async function* multistatusOf(
  ctx: Context<State>,
  access: Access,
  query: PropertyQuery,
  paths: readonly EntryPath[],
  prefix: string,
): AsyncGenerator<string> {
  const { deadProperties } = ctx.state.cubby;
  const tools = await clientTools(ctx, access);
  let chunk = clientForm.start;
  for (const path of paths) {
    const entry = entryIfThere(access, path);
    if (!entry) continue;
    const { name, info, isFolder } = entry;
    const reader = await ClientReader.open(tools, query, entry);
    const locks = await lockDescriber(ctx, access, path);
    const write = entryWriter(query, clientForm, {
      quota: () => null,
      locksOn: locks.of,
    });
    const dead = await deadProperties.of(access.placeOf(entry));
    const self = { path, name, info, client: await reader.own() };
    chunk += write(hrefOf(prefix, path, isFolder), self, dead);
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk + clientForm.end;
}

/** Null for what has gone, or is closed, since it was found. */
function entryIfThere(access: Access, path: EntryPath) {
  try {
    const entry = entryAt(access, path);
    return entry?.isFile || entry?.isFolder ? entry : null;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
