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
import { type LiveFacts, onlyByName } from "../../features/dav/live_properties.ts";
import {
  entryWriter,
  maxResponseLength,
  multistatusEnd,
  multistatusStart,
  responseOf,
} from "../../features/dav/multistatus.ts";
import { readListingDepth } from "../../features/dav/depth.ts";
import { type PropertyQuery, readPropertyQuery } from "../../features/dav/propfind.ts";
import {
  applyChanges,
  isProtected,
  modifiedIn,
  readPropertyChanges,
  statusesOf,
} from "../../features/dav/proppatch.ts";
import { setModified } from "../../features/dav/set_modified.ts";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { diskUsage } from "../../files/disk_usage.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { accessFor } from "../request/access_for.ts";
import { readBody } from "../request/body.ts";
import { davPath, davPrefix } from "./dav_address.ts";
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
  const depth = readListingDepth(ctx.req.headers.get("depth"), entry.isFolder);
  const { deadProperties } = ctx.state.cubby;
  const place = access.placeAt(path);
  const locks = await lockDescriber(ctx, access, path);
  const quota = await quotaFor(access, entry.isFolder ? path : null, query);
  const description: Description = {
    ...{ access, entry, depth },
    write: entryWriter(query, { quota, locksOn: locks.of }),
    dead: { own: await deadProperties.of(place), of: await deadProperties.in(place) },
    prefix: davPrefix(ctx),
  };
  const children = childrenIn(description);
  const chunks = multistatusOf(description, children);
  const address = hrefOf(description.prefix, path, true);
  const each = address.length + maxResponseLength(query) + locks.maxLength;
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
  const changes = await readPropertyChanges(await readBody(ctx, xmlLimits));
  const target = access.modify(path);
  const place = access.placeAt(path);
  const pass = await passLocks(ctx, access);
  await pass.assertFree(`Cannot change "${path}"`, { place });
  if (!changes.some(isProtected)) {
    const { deadProperties, notifyChanged } = ctx.state.cubby;
    await deadProperties.change(place, (properties) => applyChanges(properties, changes));
    const modified = modifiedIn(changes);
    if (modified !== undefined) {
      setModified(target, modified);
      notifyChanged(access, path);
    }
  }
  const isFolder = target.existing?.info.isDirectory ?? false;
  const response = responseOf(hrefOf(davPrefix(ctx), path, isFolder), statusesOf(changes));
  return multistatusAnswer(multistatusStart + response + multistatusEnd);
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

/** The usage of the folder's disk, measured once and only if it is asked for. */
async function quotaFor(
  access: Access,
  folder: EntryPath | null,
  query: PropertyQuery,
): Promise<LiveFacts["quota"]> {
  const named = query.kind === "named" ? query.names : query.kind === "all" ? query.include : [];
  const isAsked = query.kind === "names" || named.some(({ name }) => onlyByName.has(name));
  if (!isAsked || folder === null) return () => null;
  try {
    const { total, used } = await diskUsage(access, folder);
    return () => ({ used, free: Math.max(0, total - used) });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return () => null;
  }
}
