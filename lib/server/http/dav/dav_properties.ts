import type { Context } from "fresh";
import type { Access } from "../../core/access/access.ts";
import type { Child } from "../../core/access/folder_visibility.ts";
import {
  childrenIn,
  type Description,
  hrefOf,
  multistatusOf,
} from "../../features/dav/describe_entries.ts";
import { maxPropertiesLength } from "../../features/dav/dead_properties.ts";
import { ClientReader, contentOf } from "../../features/dav/client_facts.ts";
import { davProperties, type LiveFacts } from "../../features/dav/live_properties.ts";
import { entryWriter, maxResponseLength, responseOf } from "../../features/dav/multistatus.ts";
import { readListingDepth } from "../../features/dav/depth.ts";
import { keyOf, type PropertyQuery, readPropertyQuery } from "../../features/dav/propfind.ts";
import {
  applyChanges,
  favoriteIn,
  isFavorite,
  isRefused,
  modifiedIn,
  type PropertyChange,
  readPropertyChanges,
  statusesOf,
} from "../../features/dav/proppatch.ts";
import { setModified } from "../../features/dav/set_modified.ts";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, ROOT } from "../../../shared/path.ts";
import { diskUsage } from "../../files/disk_usage.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "../request/access_for.ts";
import { readBody } from "../request/body.ts";
import { clientTools, formOf } from "./client_requests.ts";
import { davPath, davPrefix, isForClients } from "./dav_address.ts";
import { lockDescriber, passLocks, xmlLimits } from "./dav_locks.ts";

/** Entries up to which an answer is sent with its length, which older clients like. */
const fewEntries = 200;

/** The longest answer that is sent so, in bytes; longer ones are made while they are sent. */
const maxWholeBytes = 2 ** 20;

/** Memory of an entry's name while a folder is listed. */
const heldPerEntry = 200;

/** Responses that are in memory while an answer is made and sent in chunks. */
const heldResponses = 4;

/** PROPFIND: the properties of an entry and of those in it. */
export async function listProperties(ctx: Context<State>): Promise<Response> {
  const access = accessFor(ctx);
  const { path } = davPath(ctx);
  const query = await readPropertyQuery(await readBody(ctx, xmlLimits));
  const entry = access.stat(path);
  if (path === ROOT && !entry.isFolder && isForClients(ctx)) {
    // A client would take it for an empty folder, and delete all that it has of it.
    throw new DomainError("not_found", 'Cannot list "/": it is not a folder');
  }
  const depth = readListingDepth(ctx.req.headers.get("depth"), entry.isFolder);
  const { deadProperties } = ctx.state.cubby;
  const place = access.placeAt(path);
  const locks = await lockDescriber(ctx, access, path);
  const quota = await quotaFor(access, entry.isFolder ? path : null, query);
  const form = formOf(ctx);
  const reader = isForClients(ctx)
    ? await ClientReader.open(await clientTools(ctx, access), query, entry)
    : null;
  // The outermost ETag first, names last: what changes meanwhile is found by the next question.
  const own = await reader?.own();
  const below = await reader?.below(depth === 1);
  const children = childrenIn(access, entry, depth, { withoutLinked: isForClients(ctx) });
  const description: Description = {
    ...{ access, entry, form },
    write: entryWriter(query, form, { quota, locksOn: locks.of }),
    dead: { own: await deadProperties.of(place), of: await deadProperties.in(place) },
    prefix: davPrefix(ctx),
    client: own && below
      ? {
        own: depth === 1 && entry.isFolder ? { ...own, content: contentOf(children) } : own,
        below,
      }
      : null,
  };
  const chunks = multistatusOf(description, children);
  const address = hrefOf(description.prefix, path, true);
  const each = address.length + maxResponseLength(query, form) + locks.maxLength;
  if (children.length <= fewEntries) {
    const whole = (1 + children.length) * each + await deadLength(description, children);
    if (whole <= maxWholeBytes) {
      await reserveMemory(ctx, whole);
      return multistatusAnswer((await Array.fromAsync(chunks)).join(""));
    }
  }
  const held = heldResponses * (each + maxPropertiesLength);
  await reserveMemory(ctx, children.length * heldPerEntry + held);
  return multistatusAnswer(ReadableStream.from(chunks).pipeThrough(new TextEncoderStream()));
}

/** PROPPATCH: changes dead properties, all of them or none, and the time of a file for Windows. */
export async function changeProperties(ctx: Context<State>): Promise<Response> {
  const access = accessFor(ctx);
  const { path } = davPath(ctx);
  const form = formOf(ctx);
  const changes = await readPropertyChanges(await readBody(ctx, xmlLimits));
  const isPrivate = isForClients(ctx) && changes.every(isFavorite);
  if (!isPrivate) access.modify(path);
  const { isFolder } = access.stat(path);
  if (isPrivate) await starEntry(ctx, access, path, favoriteIn(changes));
  else await changeEntry(ctx, access, path, changes);
  const statuses = statusesOf(changes, form);
  const response = responseOf(form, hrefOf(davPrefix(ctx), path, isFolder), statuses);
  return multistatusAnswer(form.start + response + form.end);
}

async function changeEntry(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  changes: readonly PropertyChange[],
): Promise<void> {
  const { properties } = formOf(ctx);
  const place = access.placeAt(path);
  const pass = await passLocks(ctx, access);
  await pass.assertFree(`Cannot change "${path}"`, { place });
  if (changes.some((change) => isRefused(change, properties))) return;
  const { deadProperties, notifyChanged } = ctx.state.cubby;
  await deadProperties.change(place, (before) => applyChanges(before, changes, properties));
  const favorite = favoriteIn(changes);
  if (isForClients(ctx) && favorite !== undefined) await starEntry(ctx, access, path, favorite);
  const modified = modifiedIn(changes, properties);
  if (modified === undefined) return;
  setModified(access.modify(path), modified);
  notifyChanged(access, path);
}

/** Stars an entry for its user, or takes the star away. */
async function starEntry(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  isStarred: boolean | undefined,
): Promise<void> {
  const { user, token } = signedInOf(ctx);
  // As at the address of the API: the list is the user's own, and no part of a folder.
  if (token && (!token.write || token.place !== null)) {
    throw new DomainError("forbidden", `Cannot star "${path}": the token may only read`);
  }
  const { favorites } = ctx.state.cubby;
  if (isStarred) return await favorites.put(user.id, access, path, null);
  await favorites.remove(user.id, access, path).catch((error) => {
    if (!(error instanceof DomainError && error.code === "not_found")) throw error;
  });
}

/** The answer 207 with a multistatus. */
export function multistatusAnswer(
  body: string | ReadableStream<Uint8Array<ArrayBuffer>>,
): Response {
  const headers = { "content-type": "application/xml; charset=utf-8" };
  return new Response(body, { status: 207, headers });
}

/** The length of all dead properties of an entry and of those in it, in characters. */
async function deadLength({ dead }: Description, children: readonly Child[]): Promise<number> {
  const each = await Promise.all(children.map(({ name }) => dead.of(name)));
  return [dead.own, ...each].flat().reduce((sum, { xml }) => sum + xml.length, 0);
}

/**
 * The room that the viewer has: of the quota for bytes, if there is one, and on the folder's disk.
 * It is measured once, and only if it is asked for.
 */
async function quotaFor(
  access: Access,
  folder: EntryPath | null,
  query: PropertyQuery,
): Promise<LiveFacts["quota"]> {
  const named = query.kind === "named" ? query.names : query.kind === "all" ? query.include : [];
  const isAsked = query.kind === "names" ||
    named.some((name) => davProperties.get(keyOf(name))?.isOnlyByName);
  if (!isAsked || folder === null) return () => null;
  try {
    const disk = await diskUsage(access, folder);
    const quota = await access.allowance?.usage();
    const { used, total } = quota && quota.bytes > 0
      ? { used: quota.usedBytes ?? 0, total: quota.bytes }
      : disk;
    const free = Math.max(0, Math.min(total - used, disk.total - disk.used));
    return () => ({ used, free });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return () => null;
  }
}
