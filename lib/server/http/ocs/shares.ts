import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { childOf, type EntryPath, parsePath } from "../../../shared/path.ts";
import type { RecipientRight } from "../../../shared/schemas/choices/choices.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import { slowMountsOf } from "../../core/access/slow_mounts.ts";
import { shareTypes } from "../../features/dav/client_properties.ts";
import { identified } from "../../features/dav/id_lookups.ts";
import { pathInView } from "../../features/dav/paths_in_view.ts";
import { keyedAudiences, type KeyedRecipient } from "../../features/links/shares/audience.ts";
import {
  audienceKeys,
  linkKey,
  memberKeys,
  type Share,
  type ShareAudience,
  type ShareTerms,
  termsOf,
} from "../../features/links/shares/share.ts";
import type { ShareChange } from "../../features/links/shares/share_change.ts";
import { shareNumber } from "../../features/links/shares/share_records.ts";
import { mediaTypeOf } from "../../files/content/types.ts";
import { clientTools } from "../dav/client_requests.ts";
import type { State } from "../define.ts";
import { publicAddress } from "../middleware/client_address.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "../request/access_for.ts";
import { isShareWithin } from "../request/lists/share_lists.ts";
import { changeShare, createShare, endShare, targetAt } from "../request/own_shares.ts";
import { audienceIn } from "../request/recipient_requests.ts";
import type { OcsData } from "./ocs_answer.ts";
import { flagField, type OcsInput, readOcsInput } from "./ocs_input.ts";
import {
  assertNoTexts,
  bitsOf,
  dayOf,
  readEnd,
  readLinkRights,
  readRights,
  rightFrom,
  viewAttributes,
} from "./share_terms.ts";

/** Most shares in one answer, of which each takes about 1 KiB. */
const maxListed = 1_000;

/** Shares that are read at once. */
const partSize = 50;

/** Stands for a password that is set: clients send it back with a change of something else. */
const somePassword = "********";

/**
 * A share as clients know it: with one user, with one group, or by a link for anybody. A share of
 * Cubby is as many of these as there are members.
 */
interface Membership {
  share: Share;
  /** Of the user, the group or the link in the share. */
  key: string;
}

/** A share with what it leads to now. */
interface ShownShare {
  share: Share;
  /** As the viewer has it. */
  path: EntryPath;
  entry: EntryHandle;
}

/**
 * The user's own shares: of an entry, of the entries in a folder, or all, and not those that others
 * have with the user. These are no files of the user: they open in the browser alone.
 */
export async function listShares(ctx: Context<State>): Promise<OcsData> {
  const access = sharingAccess(ctx, "list the shares");
  const fields: OcsInput = new Map(ctx.url.searchParams);
  if (flagField(fields, "shared_with_me")) return [];
  const found: ShownShare[] = [];
  let count = 0;
  for await (const part of askedParts(ctx, access, fields)) {
    for (const share of part) {
      const shown = shownShare(ctx, access, share);
      if (!shown) continue;
      found.push(shown);
      count += memberKeys(share).length;
    }
    if (count >= maxListed) break;
  }
  return (await describeShares(ctx, access, found)).slice(0, maxListed);
}

async function* askedParts(
  ctx: Context<State>,
  access: Access,
  fields: OcsInput,
): AsyncGenerator<Share[], void> {
  const { shares } = ctx.state.cubby;
  const of = { userId: signedInOf(ctx).user.id, size: partSize };
  const asked = fields.get("path");
  if (asked === undefined) return yield* shares.parts(of);
  const { path } = parsePath(asked);
  const place = access.share(path);
  if (!flagField(fields, "subfiles")) return yield* shares.partsAt(place, of);
  if (!access.stat(path).isFolder) {
    throw new DomainError("invalid_option", `Cannot list the shares in "${path}": it is a file`);
  }
  for (const name of await shares.namesIn(place, of.userId)) {
    yield* shares.partsAt(childOf(place, name), of);
  }
}

/** One of the user's own shares, in a list. @throws DomainError `not_found` */
export async function showShare(ctx: Context<State>): Promise<OcsData> {
  return [await describeShare(ctx, await ownShare(ctx))];
}

/**
 * Shares an entry with a user or a group, or by a link for anybody.
 *
 * @throws DomainError with a sentence for the user of the client
 */
export async function addShare(ctx: Context<State>): Promise<OcsData> {
  const access = sharingAccess(ctx, "share");
  const fields = await readOcsInput(ctx);
  const asked = fields.get("path");
  if (asked === undefined) {
    throw new DomainError("invalid_option", "Cannot share: the path is missing");
  }
  const { path } = parsePath(asked);
  const target = targetAt(ctx, path);
  assertNoTexts(fields);
  const { isFolder } = access.stat(path);
  const expire = readEnd(fields, Date.now());
  const type = typeFrom(fields);
  const draft = { password: fields.get("password") ?? "", seconds: 0, expire };
  if (type === "link") {
    const may = rightFrom(readLinkRights(fields, isFolder), isFolder);
    const share = await createShare(ctx, path, target, {
      ...draft,
      ...may !== "download" && { terms: termsOfLink(may) },
    });
    return await describeShare(ctx, { share, key: linkKey });
  }
  const may = rightFrom(readRights(fields), isFolder);
  const { audience, key } = await audienceFrom(ctx, fields, type, may);
  await assertNew(ctx, target.place, key);
  const share = await createShare(ctx, path, target, { ...draft, terms: { audience } });
  return await describeShare(ctx, { share, key });
}

/**
 * Changes one of the user's own shares. What a client sends back as it was stays as it is.
 *
 * @throws DomainError `not_found`; with a sentence for the user of the client
 */
export async function editShare(ctx: Context<State>): Promise<OcsData> {
  const { share, key } = await ownShare(ctx);
  const fields = await readOcsInput(ctx);
  assertNoTexts(fields);
  const change = changeFrom(fields, { share, key }, isFolder(ctx, share));
  const changed = Object.keys(change).length === 0 ? share : await changeShare(ctx, share, change);
  return await describeShare(ctx, { share: changed, key });
}

/** Ends one of the user's own shares: for its user, its group, or by the link. */
export async function removeShare(ctx: Context<State>): Promise<OcsData> {
  const { share, key } = await ownShare(ctx);
  if (memberKeys(share).length <= 1) await endShare(ctx, share);
  else await changeShare(ctx, share, { terms: (before) => termsWithout(before, key) });
  return [];
}

/** @throws DomainError `forbidden` to those who may not share */
function sharingAccess(ctx: Context<State>, action: string): Access {
  const access = accessFor(ctx);
  access.need(`Cannot ${action}`, "share", "download");
  return access;
}

/**
 * The share of the user that the address names by its number, which no other user's share can have.
 *
 * @throws DomainError `not_found`, also for one outside of the token's folder, and where a rule
 * denies the entry; `forbidden`; `exists` for a number that two of the user's shares have
 */
async function ownShare(ctx: Context<State>): Promise<Membership> {
  const access = sharingAccess(ctx, "open the share");
  const id = ctx.params.id ?? "";
  const { user } = signedInOf(ctx);
  const found = /^\d{1,10}$/.test(id)
    ? await ctx.state.cubby.shares.numbered(user.id, Number(id))
    : null;
  if (found && shownShare(ctx, access, found.share)) return found;
  throw new DomainError("not_found", "Cannot find the share: none of yours has this number");
}

/** Null for a share out of the viewer's reach: where its entry is by now is not told (CWE-200). */
function shownShare(ctx: Context<State>, access: Access, share: Share): ShownShare | null {
  const path = pathInView(access.viewer, share.path);
  if (path === null || !isShareWithin(share, signedInOf(ctx).user)) return null;
  try {
    if (slowMountsOf(access, path, "entry").length > 0) return null;
    return { share, path, entry: access.stat(path) };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

function isFolder(ctx: Context<State>, share: Share): boolean {
  return shownShare(ctx, accessFor(ctx), share)?.entry.isFolder ?? false;
}

function typeFrom(fields: OcsInput): keyof typeof shareTypes {
  const text = fields.get("shareType") ?? "";
  const found = Object.entries(shareTypes).find(([, number]) => String(number) === text);
  if (found) return found[0] as keyof typeof shareTypes;
  const known = "users (0), groups (1) and links (3)";
  throw new DomainError("invalid_option", `Cannot share: shareType knows ${known} only`);
}

/**
 * The user or the group that a share is to be with.
 *
 * @throws DomainError `invalid_body` for a name that none has; `throttled` after too many of those
 */
async function audienceFrom(
  ctx: Context<State>,
  fields: OcsInput,
  type: "user" | "group",
  may: RecipientRight,
): Promise<{ audience: ShareAudience; key: string }> {
  const name = (fields.get("shareWith") ?? "").trim();
  if (name === "") {
    throw new DomainError("invalid_option", "Cannot share: shareWith names neither user nor group");
  }
  const member = { name: type === "group" ? `@${name}` : name, may };
  const audience = await audienceIn(ctx, { audience: [member] });
  const [key] = audience ? audienceKeys(audience) : [];
  if (audience && key?.startsWith(type)) return { audience, key };
  const reason = `there is no such ${type}`;
  throw new DomainError("invalid_body", `Cannot share with "${name}": ${reason}`);
}

/** @throws DomainError `forbidden` where the user already shares an entry with somebody */
async function assertNew(ctx: Context<State>, place: EntryPath, key: string): Promise<void> {
  const of = { userId: signedInOf(ctx).user.id, size: partSize };
  let read = 0;
  for await (const part of ctx.state.cubby.shares.partsAt(place, of)) {
    if (part.some((share) => memberKeys(share).includes(key))) {
      const reason = "you already do; change that share instead";
      throw new DomainError("forbidden", `Cannot share with the same user or group: ${reason}`);
    }
    if ((read += part.length) >= maxListed) return;
  }
}

/**
 * The change that a request comes to: of the right of one member, or of the whole share where
 * nobody else is in it.
 *
 * @throws DomainError `invalid_option`, `forbidden`
 */
function changeFrom(fields: OcsInput, { share, key }: Membership, isFolder: boolean): ShareChange {
  const isLink = key === linkKey;
  const rights = isLink ? readLinkRights(fields, isFolder) : readRights(fields);
  const { viewOnly, audience, anyoneMay } = termsOf(share);
  const change: ShareChange = {};
  const password = fields.get("password");
  const isKept = share.passwordHash === null ? password === "" : password === somePassword;
  if (password !== undefined && !isKept) change.password = password;
  const expire = readEnd(fields, Date.now());
  if (expire !== undefined && lastDay(expire) !== lastDay(share.expire)) change.expire = expire;
  const given = isLink ? anyoneMay : audience?.rights?.[key];
  const present = viewOnly ? "view" : given ?? "download";
  const may = rightFrom(rights, isFolder, present);
  const isAlone = memberKeys(share).length === 1;
  const terms = (now: ShareTerms) =>
    !isLink ? termsWith(now, key, may) : isAlone ? termsOfLink(may) : { anyoneMay: may };
  if (may !== present && !viewOnly) {
    return Object.keys(change).length > 0 ? { ...wholeChange(share, change), terms } : { terms };
  }
  if (may !== present) change.terms = (now) => ({ ...terms(now), viewOnly: false });
  return Object.keys(change).length > 0 ? wholeChange(share, change) : change;
}

/** @throws DomainError `forbidden` for a share that is for others as well */
function wholeChange(share: Share, change: ShareChange): ShareChange {
  if (memberKeys(share).length === 1) return change;
  const reason = "it is for others as well; use the browser";
  throw new DomainError("forbidden", `Cannot change the whole share: ${reason}`);
}

/** The terms of a link for anybody. One to view is a share in which files are only shown. */
function termsOfLink(may: RecipientRight): Partial<ShareTerms> {
  return may === "view" ? { viewOnly: true } : { anyoneMay: may };
}

function lastDay(expire: number): string {
  return expire === 0 ? "" : dayOf(expire);
}

/** The terms in which somebody has another right, unless that one has left the share meanwhile. */
function termsWith(terms: ShareTerms, key: string, may: RecipientRight): Partial<ShareTerms> {
  const { audience, anyone = false, anyoneMay } = terms;
  if (!audience || !audienceKeys(audience).includes(key)) return {};
  const rights = { ...audience.rights, [key]: may };
  return { audience: { ...audience, rights }, anyone, ...anyoneMay && { anyoneMay } };
}

/** The terms of a share that somebody leaves. Where nobody remains, it opens for nobody. */
function termsWithout(terms: ShareTerms, key: string): Partial<ShareTerms> {
  const { audience, anyone = false, anyoneMay } = terms;
  if (!audience) return {};
  if (key === linkKey) return { audience, anyone: false };
  const [kind, id] = key.split(" ");
  const { users, groups, rights = {} } = audience;
  const { [key]: _, ...others } = rights;
  const left: ShareAudience = {
    users: users.filter((each) => kind !== "user" || String(each) !== id),
    groups: groups.filter((each) => kind !== "group" || String(each) !== id),
    ...Object.keys(others).length > 0 && { rights: others },
  };
  const isForAll = anyone && audienceKeys(left).length === 0;
  const open = anyoneMay && { anyoneMay };
  return { ...isForAll ? { audience: null } : { audience: left, anyone }, ...open };
}

async function describeShare(ctx: Context<State>, { share, key }: Membership): Promise<OcsData> {
  const access = accessFor(ctx);
  const shown = shownShare(ctx, access, share);
  const all = shown ? await describeShares(ctx, access, [shown]) : [];
  const own = all.find(({ id }) => id === String(shareNumber(share, key)));
  return own ?? [];
}

/** The shares as clients know them, one for each member. */
async function describeShares(
  ctx: Context<State>,
  access: Access,
  shares: readonly ShownShare[],
): Promise<Record<string, OcsData>[]> {
  const { users, fileIds } = ctx.state.cubby;
  const { username } = signedInOf(ctx).user;
  const recipientsOf = await keyedAudiences(shares.map(({ share }) => share), users);
  const ids = await fileIds?.idsOf(shares.map(({ entry }) => identified(access, entry))) ?? [];
  const { canPreview } = await clientTools(ctx, access);
  return shares.flatMap(({ share, path, entry }, at) => {
    const { isFolder, name } = entry;
    const { viewOnly } = termsOf(share);
    const id = Number(ids[at] ?? 0);
    const about = {
      ...{ uid_owner: username, displayname_owner: username },
      ...{ uid_file_owner: username, displayname_file_owner: username },
      ...{ can_edit: true, can_delete: true, mail_send: 0, note: "", label: "", parent: null },
      stime: share.created ?? 0,
      expiration: share.expire === 0 ? null : `${dayOf(share.expire)} 00:00:00`,
      ...{ path, file_target: path, item_type: isFolder ? "folder" : "file" },
      mimetype: isFolder ? "httpd/unix-directory" : mediaTypeOf(name),
      has_preview: !isFolder && canPreview(name),
      ...{ storage_id: `home::${username}`, storage: 1, item_source: id, file_source: id },
      hide_download: viewOnly ? 1 : 0,
    };
    const recipients = recipientsOf(share) ?? [];
    return memberKeys(share).flatMap((key): Record<string, OcsData>[] => {
      const number = String(shareNumber(share, key));
      if (key === linkKey) return [{ id: number, ...about, ...linkFacts(ctx, share, isFolder) }];
      const named = recipients.find((each) => each.key === key);
      if (!named) return [];
      const right = viewOnly ? "view" : named.may;
      return [{ id: number, ...about, ...memberFacts(named, right, isFolder) }];
    });
  });
}

function linkFacts(
  ctx: Context<State>,
  share: Share,
  isFolder: boolean,
): Record<string, OcsData> {
  const { name, viewOnly, anyoneMay = "download" } = termsOf(share);
  const right = viewOnly ? "view" : anyoneMay;
  const password = share.passwordHash === null ? null : somePassword;
  return {
    share_type: shareTypes.link,
    permissions: bitsOf(right, isFolder),
    hide_download: right === "view" ? 1 : 0,
    token: share.hash,
    url: publicAddress(ctx, `/share/${name || share.hash}`),
    ...{ password, share_with: password, share_with_displayname: "(Shared link)" },
    send_password_by_talk: false,
    attributes: null,
  };
}

function memberFacts(
  { name: shown, key }: KeyedRecipient,
  right: RecipientRight,
  isFolder: boolean,
): Record<string, OcsData> {
  const isGroup = key.startsWith("group");
  const name = isGroup ? shown.slice(1) : shown;
  return {
    share_type: isGroup ? shareTypes.group : shareTypes.user,
    permissions: bitsOf(right, isFolder),
    token: null,
    ...{ share_with: name, share_with_displayname: name, share_with_displayname_unique: name },
    status: [],
    attributes: right === "view" ? viewAttributes : null,
  };
}
