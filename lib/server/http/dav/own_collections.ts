import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { nameOf } from "../../../shared/path.ts";
import { serverPath } from "../../features/audit/server_path.ts";
import { readListingDepth } from "../../features/dav/depth.ts";
import { keyOf, type PropertyQuery, readPropertyQuery } from "../../features/dav/propfind.ts";
import { emptyElement, escapeXml, xmlDeclaration } from "../../features/dav/xml/write_xml.ts";
import { mediaTypeOf } from "../../files/content/types.ts";
import type { TrashedEntry } from "../../files/trash/trash_records.ts";
import type { State } from "../define.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "../request/access_for.ts";
import { recordActivity } from "../request/activities.ts";
import { readBody } from "../request/body.ts";
import { refuseAsCode } from "../response/downloads.ts";
import { sendFile } from "../response/send_file.ts";
import { xmlLimits } from "./dav_locks.ts";
import { multistatusAnswer } from "./dav_properties.ts";

/*
 * The collections besides the files that clients of Nextcloud have below an address of a user:
 * `/remote.php/dav/uploads/anna/…`. Their entries are no files, and have properties of their own.
 */

const namespaces = {
  d: "DAV:",
  oc: "http://owncloud.org/ns",
  nc: "http://nextcloud.org/ns",
} as const;

const start = `${xmlDeclaration}<d:multistatus ${
  Object.entries(namespaces).map(([prefix, ns]) => `xmlns:${prefix}="${ns}"`).join(" ")
}>\n`;

const end = "</d:multistatus>\n";

/** A property with its prefix: phone apps look for `d`, `oc` and `nc`, whatever they mean. */
type Prefixed = `${keyof typeof namespaces}:${string}`;

/** An entry of such a collection. */
export interface Resource {
  /** Names below the address of the user, not encoded: `["17", "00001"]`. */
  segments: readonly string[];
  isCollection?: boolean;
  /** Their values as XML. */
  properties?: Partial<Record<Prefixed, string>>;
}

/** Memory of an entry while a collection is listed, in bytes. */
const heldPerEntry = 400;

/**
 * The names that an address has below that of its user's collection.
 *
 * @param kind the collection: `uploads`
 * @throws DomainError `not_found` for another user's; `invalid_path` for a bad escape
 */
export function namesBelow(ctx: Context<State>, kind: string): string[] {
  const top = `${ctx.config.basePath}/remote.php/dav/${kind}/`;
  const [user, ...names] = decoded(ctx.url.pathname.slice(top.length)).split("/");
  if (user !== signedInOf(ctx).user.username) throw notFoundError();
  return names.filter((name) => name !== "");
}

/**
 * The names that `Destination` has below the address of the user's collection.
 *
 * @throws DomainError `forbidden` for an address outside of it; `invalid_path`
 */
function destinationBelow(ctx: Context<State>, kind: string): string[] {
  const address = URL.parse(ctx.req.headers.get("destination")?.trim() ?? "", ctx.url);
  const top = `${ctx.config.basePath}/remote.php/dav/${kind}/`;
  const [user, ...names] = address?.pathname.startsWith(top)
    ? decoded(address.pathname.slice(top.length)).split("/")
    : [];
  if (user === signedInOf(ctx).user.username) return names.filter((name) => name !== "");
  throw new DomainError("forbidden", `Cannot use the destination: it is outside "${top}"`);
}

/** The refusal of an address at which there is nothing. */
export function notFoundError(): DomainError {
  return new DomainError("not_found", "Cannot answer the request: not found");
}

/** Slashes in names stay encoded, as no such name is anywhere. */
function decoded(address: string): string {
  try {
    return address.split("/").map((part) => decodeURIComponent(part).replaceAll("/", "%2F")).join(
      "/",
    );
  } catch {
    throw new DomainError("invalid_path", "Cannot read the address: it has a bad escape");
  }
}

/**
 * PROPFIND of a collection, or of an entry in it.
 *
 * @param kind the collection: `uploads`
 * @param members those in it, read only when they are asked for
 */
export async function listCollection(
  ctx: Context<State>,
  kind: string,
  itself: Resource,
  members: () => Promise<readonly Resource[]> = () => Promise.resolve([]),
): Promise<Response> {
  const query = await readPropertyQuery(await readBody(ctx, xmlLimits));
  const depth = readListingDepth(ctx.req.headers.get("depth"), itself.isCollection ?? false);
  const listed = [itself, ...depth === 1 ? await members() : []];
  await reserveMemory(ctx, listed.length * heldPerEntry);
  const user = encodeURIComponent(signedInOf(ctx).user.username);
  const top = `${ctx.config.basePath}/remote.php/dav/${kind}/${user}/`;
  function* written() {
    yield start;
    for (const resource of listed) yield describe(top, resource, query);
    yield end;
  }
  return multistatusAnswer(ReadableStream.from(written()).pipeThrough(new TextEncoderStream()));
}

function describe(
  top: string,
  { segments, isCollection = false, properties = {} }: Resource,
  query: PropertyQuery,
): string {
  const path = segments.map((name) => encodeURIComponent(name)).join("/");
  const href = top + path + (isCollection && path !== "" ? "/" : "");
  const all = new Map(
    Object.entries({
      "d:resourcetype": isCollection ? "<d:collection/>" : "",
      ...properties,
    }).map(([name, value]) => [keyOfPrefixed(name), { name, value: value ?? "" }]),
  );
  const wanted = query.kind === "named" ? query.names : null;
  let [found, missing] = ["", ""];
  for (
    const { name, value } of wanted
      ? wanted.flatMap((one) => all.get(keyOf(one)) ?? [])
      : all.values()
  ) {
    found += value === "" || query.kind === "names" ? `<${name}/>` : `<${name}>${value}</${name}>`;
  }
  for (const one of wanted ?? []) if (!all.has(keyOf(one))) missing += missingElement(one);
  return `<d:response><d:href>${escapeXml(href)}</d:href>${propstat(found, "200 OK")}` +
    `${missing === "" ? "" : propstat(missing, "404 Not Found")}</d:response>\n`;
}

function propstat(xml: string, status: string): string {
  const prop = xml === "" ? "<d:prop/>" : `<d:prop>${xml}</d:prop>`;
  return `<d:propstat>${prop}<d:status>HTTP/1.1 ${status}</d:status></d:propstat>`;
}

function keyOfPrefixed(text: string): string {
  const [prefix = "", name = ""] = text.split(":");
  return keyOf({ ns: namespaces[prefix as keyof typeof namespaces], name });
}

function missingElement({ ns, name }: { ns: string; name: string }): string {
  return ns === namespaces.d ? `<d:${name}/>` : emptyElement({ ns, name });
}

/*
 * What is kept besides the files: the entries in the trash and the previous versions.
 */

/** The place in a collection to which a client moves what is to be restored. */
export const restoreName = "restore";

/** Refuses an API token that is bound to a folder: what is kept has entries of other folders. */
export function assertUnbound(ctx: Context<State>): void {
  if (!signedInOf(ctx).token?.place) return;
  throw new DomainError(
    "forbidden",
    "Cannot answer the request: the API token is bound to a folder",
  );
}

/** Sends a file in the trash, or a previous version. */
export async function sendKept(ctx: Context<State>, { id }: TrashedEntry): Promise<Response> {
  refuseAsCode(ctx.req);
  const { trash } = ctx.state.cubby;
  const { file, ...info } = await trash.open(accessFor(ctx), signedInOf(ctx).user.id, id);
  if (ctx.req.method !== "HEAD") {
    return await sendFile(ctx.req, { ...info, file }, { inline: false });
  }
  file.close();
  return await sendFile(ctx.req, info, { inline: false });
}

/**
 * Restores what a MOVE leads to `restore`.
 *
 * @param how.replaces in place of the file that is there
 * @throws DomainError `forbidden` for another destination; `not_found`, `exists`
 */
export async function restoreKept(
  ctx: Context<State>,
  kind: string,
  id: string,
  how: { what: "entry" | "version"; replaces: boolean },
): Promise<Response> {
  const [to] = destinationBelow(ctx, kind);
  if (to !== restoreName) {
    const reason = `move it to "${restoreName}"`;
    throw new DomainError("forbidden", `Cannot restore the ${how.what}: ${reason}`);
  }
  const { cubby } = ctx.state;
  const access = accessFor(ctx);
  const path = await cubby.trash.restore(access, signedInOf(ctx).user.id, id, how.replaces);
  cubby.notifyChanged(access, path);
  recordActivity(ctx, "restore", { path: serverPath(access, path) });
  return new Response(null, { status: 201 });
}

/** The properties that an entry in the trash and a version have in common. */
export function keptProperties(
  { id, path, isDir, size, at }: TrashedEntry,
): Resource["properties"] {
  return {
    ...isDir ? {} : {
      "d:getcontentlength": String(size),
      "d:getcontenttype": escapeXml(mediaTypeOf(nameOf(path))),
    },
    "d:getlastmodified": new Date(at).toUTCString(),
    "d:getetag": `&quot;${id}&quot;`,
    "nc:has-preview": "false",
  };
}
