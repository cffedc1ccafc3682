import type { Context } from "fresh";
import { type EntryPath, nameOf, parsePath, ROOT, segmentsOf } from "../../../shared/path.ts";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Access } from "../../core/access/access.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import { rightTo, type Share, termsOf } from "../../features/links/shares/share.ts";
import { noShareError } from "../../features/links/shares/shares.ts";
import {
  enterShare,
  enterToAdd,
  enterToEdit,
  opensShare,
  remainingRight,
  shareTokenOf,
  type Visit,
} from "../../features/links/shares/visit.ts";
import { includesRight, type RecipientRight } from "../../../shared/schemas/choices/choices.ts";
import type { SharedWithMe } from "../../../shared/schemas/share.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { sessionOf } from "../middleware/sign_in.ts";
import { visitorName } from "../../../shared/visitor_name.ts";
import type { User } from "../../features/accounts/users/user.ts";
import type { PreviewKind, StreamPart } from "./query.ts";
import { seenNow } from "./access_for.ts";
import { recordVisit } from "./activities.ts";
import { requestPath } from "./request_path.ts";
import { countChange } from "./visitor_limits.ts";

/** A visit with the share and the path in it that the URL names. */
export interface ShareVisit extends Visit {
  share: Share;
  /** The part of the address that names the share: its hash or its name. */
  address: string;
  path: EntryPath;
  /** The rights that the share gives this visitor; those of its owner are checked besides. */
  may: RecipientRight;
}

/** Who changes what is shared. */
export interface Changer {
  /** Null for a visitor without an account. */
  by: User | null;
  /** The name that this visitor has given; "" for none. */
  visitor: string;
}

/** A visitor's credentials for a share with a password. */
export interface ShareCredentials {
  /** From an earlier response; see `signShareToken`. */
  token: string | null;
  /** "" for none. */
  password: string;
}

/** As {@linkcode shareTokenOf}, for the answer to a request, which is then not compressed. */
export async function shareTokenFor(
  { state }: Pick<Context<State>, "state">,
  share: Share,
): Promise<string> {
  const token = await shareTokenOf(state.cubby.key, share);
  if (token !== "") state.hasToken = true;
  return token;
}

/**
 * Opens a share for a visitor who reads. Of a shared file, whatever path follows the hash is the file:
 * links of File Browser end with its name or its whole path. Before the password is verified
 * nothing is revealed about the shared entry, not even that its owner lacks the permission; an
 * expired share is not found.
 *
 * @param at the share's hash, followed by the path of an entry
 * @param continues the visitor may resume a download, which is checked when it is counted: the last
 * download that the limit allows may have broken off
 * @throws DomainError `not_found`; `password_required` when it is missing or wrong; `throttled`;
 * `forbidden`; `invalid_path`
 */
export async function visitShare(
  ctx: Context<State>,
  at: EntryPath,
  credentials: ShareCredentials,
  continues = false,
): Promise<ShareVisit> {
  const visit = await openShare(ctx, at, credentials, continues);
  const isNamed = visit.path !== ROOT && !visit.access.stat(ROOT).isFolder;
  return isNamed ? { ...visit, path: ROOT } : visit;
}

/** As {@linkcode visitShare}, with the path as it is written, which a change must name exactly. */
async function openShare(
  ctx: Context<State>,
  at: EntryPath,
  credentials: ShareCredentials,
  continues: boolean,
): Promise<ShareVisit> {
  const { gate, settings, shares, users } = ctx.state.cubby;
  const [address = "", ...rest] = segmentsOf(at);
  const { share, may } = await shareFor(ctx, address);
  if (!continues && await shares.uses.isUsedUp(share)) throw noShareError();
  await verifyCredentials(ctx, share, credentials);
  const visit = await enterShare(share, { gate, users, settings: await settings.get() });
  return { ...visit, share, may, address, path: parsePath(rest.join("/")).path };
}

/**
 * Opens a share for somebody who adds files to it: the access of the visit creates, and no more.
 *
 * @throws DomainError as {@linkcode visitByCall}; `forbidden` for one who may not add files, and when
 * the owner may not; `throttled`
 */
export async function visitToAdd(ctx: Context<State>): Promise<ShareVisit & Changer> {
  const visit = await enterByCall(ctx, "public/tus");
  const { gate, settings, users } = ctx.state.cubby;
  if (!includesRight(visit.may, "upload")) {
    throw new DomainError("forbidden", "Cannot add to the share: it is read-only");
  }
  const changer = changerOf(ctx);
  const entered = await enterToAdd(visit.share, { gate, users, settings: await settings.get() });
  return { ...visit, ...entered, ...changer };
}

/**
 * Opens a share for somebody who changes what is in it. That is a visit, too, of which the owner
 * may want to be told.
 *
 * @throws DomainError as {@linkcode visitByCall}; `forbidden` for one who may not edit, and when the
 * owner may not; `throttled`
 */
export async function visitToEdit(
  ctx: Context<State>,
  call: "public/share" | "public/trash",
): Promise<ShareVisit & Changer> {
  const visit = await enterByCall(ctx, call);
  const { gate, settings, shares, users } = ctx.state.cubby;
  if (!includesRight(visit.may, "edit")) {
    throw new DomainError("forbidden", "Cannot change the share: it does not allow editing");
  }
  const changer = changerOf(ctx);
  const entered = await enterToEdit(visit.share, { gate, users, settings: await settings.get() });
  recordVisit(ctx, "share_visit", { ...visit, path: ROOT });
  await shares.uses.recordVisit(visit.share);
  return { ...visit, ...entered, ...changer };
}

/**
 * Who makes the request. A cookie alone, which a page of another site can have sent along, signs
 * nobody in here: such a request is a visitor's, who needs none.
 *
 * @throws DomainError `throttled` for visitors who change too much in a short time
 */
function changerOf({ state: { address, signedIn }, url }: Context<State>): Changer {
  if (signedIn?.session) return { by: signedIn.user, visitor: "" };
  countChange(address);
  return { by: null, visitor: visitorIn(url) };
}

/** The name in a URL that a visitor without an account has given; "" for none. */
export function visitorIn({ searchParams }: URL): string {
  return visitorName(searchParams.get("name") ?? "");
}

/**
 * The access that somebody has now, for an upload whose body took a while: the session, the share,
 * its password, its audience and the rights of its owner may have ended meanwhile.
 *
 * @throws DomainError `not_signed_in`; `not_found` without the share; `password_required` when it has
 * another one; `forbidden` without the right
 */
export async function accessToShareNow(
  ctx: Context<State>,
  { hash, passwordHash }: Share,
  right: "upload" | "edit",
): Promise<Access> {
  const { gate, shares, users } = ctx.state.cubby;
  const user = ctx.state.signedIn?.session ? (await seenNow(ctx)).user : null;
  const share = await shares.at(hash);
  const settings = await ctx.state.cubby.settings.get();
  const may = rightTo(share, user, settings);
  if (may === null || await shares.uses.isUsedUp(share)) throw noShareError();
  if (share.passwordHash !== passwordHash) {
    throw new DomainError("password_required", "Cannot change the share: its password is another");
  }
  if (!includesRight(may, right)) {
    throw new DomainError("forbidden", "Cannot change the share: the right to do so has ended");
  }
  const enter = right === "edit" ? enterToEdit : enterToAdd;
  return (await enter(share, { gate, users, settings })).access;
}

/**
 * The share at an address, for the user or visitor of the request. Outside its audience the answer
 * is that of an address without a share. An API token opens no share that is for its user.
 *
 * @throws DomainError `not_found`
 */
export async function shareFor(
  { state }: Context<State>,
  address: string,
): Promise<Pick<ShareVisit, "share" | "may">> {
  const { cubby: { settings, shares }, signedIn } = state;
  const share = await shares.at(address);
  const user = signedIn?.session ? signedIn.user : null;
  const may = rightTo(share, user, await settings.get());
  if (may === null) throw noShareError();
  return { share, may };
}

/** Memory for one of the shares for a user while the list is made, in bytes. */
const heldPerShare = 2048;

/**
 * The shares for the user of a request whose owners may still share. One with a password has none
 * of the facts that the password protects. Memory for all is reserved before the first is read.
 *
 * @throws DomainError `busy`
 */
export async function sharedWithMe(ctx: Context<State>): Promise<SharedWithMe[]> {
  const { user } = sessionOf(ctx);
  const { gate, shares, users, settings } = ctx.state.cubby;
  await reserveMemory(ctx, await shares.countFor(user) * heldPerShare);
  const options = { gate, users, settings: await settings.get() };
  const found = new Map<string, SharedWithMe>();
  for await (const part of shares.partsFor(user)) {
    for (const share of part) {
      const { hash, path, expire, created, passwordHash } = share;
      if (found.has(hash) || await shares.uses.isUsedUp(share)) continue;
      const visit = await enterShare(share, options).catch((error) => {
        if (error instanceof DomainError) return null;
        throw error;
      });
      if (!visit) continue;
      const given = rightTo(share, user, options.settings) ?? "view";
      const about = { hash, owner: visit.owner.username, expire, ...created && { created } };
      found.set(
        hash,
        // The rights that remain depend on what is shared.
        passwordHash !== null ? { ...about, hasPassword: true, name: "", may: given } : {
          ...about,
          name: nameOf(path),
          isDir: isFolder(visit.access),
          may: await remainingRight(share, given, options),
        },
      );
    }
  }
  return [...found.values()].sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** Whether a folder is shared; false where that cannot be known now. */
function isFolder(access: Access): boolean {
  try {
    return access.find(ROOT)?.isFolder ?? false;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** Whether a request resumes a download: it asks for one part, not from the first byte. */
export function isContinued({ headers }: Request): boolean {
  return /^bytes=[1-9]\d*-\d*$/.test(headers.get("range") ?? "");
}

/** The access by which a share is described: to those who may edit, its texts are no read-only ones. */
export async function accessToDescribe(
  { state: { cubby: { gate, users } } }: Context<State>,
  { access, may, settings, share }: ShareVisit,
): Promise<Access> {
  if (!includesRight(may, "edit")) return access;
  const options = { gate, users, settings };
  return await unlessRefused(async () => (await enterToEdit(share, options)).access) ?? access;
}

/** The calls by which visitors read, by the part of the URL before the share's hash. */
type ReadingCall =
  | `public/${"archive" | "coediting" | "dl" | "office" | "ratios" | "share" | "subtitle"}`
  | `public/preview/${PreviewKind}`
  | `public/stream/${StreamPart}`;

/**
 * Whether a visitor may read a file in place: its text, or parts of it. Where downloads are counted
 * that would go round the limit, unless the files are only shown anyway.
 */
export function readsInPlace({ share, may }: Pick<ShareVisit, "share" | "may">): boolean {
  return termsOf(share).downloadLimit === 0 || may === "view";
}

/**
 * Refuses what reads files in place, where the share does not allow it.
 *
 * @param action as in "Cannot look into the archive"
 * @param needed the right that it takes: to view, or also to save what is read
 * @throws DomainError `forbidden`
 */
export function needReadInPlace(
  visit: Pick<ShareVisit, "share" | "may">,
  action: string,
  needed: "view" | "download" = "download",
): void {
  if (!readsInPlace(visit)) {
    throw new DomainError("forbidden", `${action}: the share counts downloads`);
  }
  if (!includesRight(visit.may, needed)) {
    throw new DomainError("forbidden", `${action}: the share allows viewing only`);
  }
}

/** As {@linkcode visitShare}, for API calls: the password in `X-SHARE-PASSWORD`, or `?token=`. */
export async function visitByCall(ctx: Context<State>, call: ReadingCall): Promise<ShareVisit> {
  const continues = call === "public/dl" && isContinued(ctx.req);
  return await visitShare(ctx, requestPath(ctx, call).path, credentialsOf(ctx), continues);
}

/** As {@linkcode visitByCall}, for calls that change something. */
async function enterByCall(
  ctx: Context<State>,
  call: `public/${"share" | "trash" | "tus"}`,
): Promise<ShareVisit> {
  return await openShare(ctx, requestPath(ctx, call).path, credentialsOf(ctx), false);
}

function credentialsOf({ url, req }: Context<State>): ShareCredentials {
  return { token: url.searchParams.get("token"), password: passwordOf(req.headers) };
}

async function verifyCredentials(
  ctx: Context<State>,
  share: Share,
  { token, password }: ShareCredentials,
): Promise<void> {
  if (share.passwordHash === null) return;
  const { cubby: { attempts, key, shares }, address } = ctx.state;
  if (token && await opensShare(key, share, token)) return;

  const isRight = password !== "" && await attempts.throttled(
    `share:${share.hash}`,
    address,
    async () => await shares.isOpenedBy(share, password) || null,
  );
  if (isRight) return;
  const wrong = password === "" ? "it has a password" : "the password is wrong";
  throw new DomainError("password_required", `Cannot open the share: ${wrong}`);
}

function passwordOf(headers: Headers): string {
  try {
    return decodeURIComponent(headers.get("x-share-password") ?? "");
  } catch {
    throw new DomainError(
      "invalid_option",
      "Cannot read X-SHARE-PASSWORD: it must be percent-encoded",
    );
  }
}

/**
 * The longest form that is read, in bytes: a password of 72 bytes, percent-encoded, and its name.
 */
const maxBytes = 1_024;

/**
 * Reads the field `password` of a form that a page without scripts sends.
 *
 * @returns "" when it is missing
 * @throws DomainError `body_too_large`; `invalid_body` for another kind of body
 */
export async function readPasswordForm(req: Request): Promise<string> {
  const isForm = req.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  if (!isForm) throw new DomainError("invalid_body", "Cannot read the form: unknown content type");
  if (!(Number(req.headers.get("content-length") ?? Infinity) <= maxBytes)) {
    throw new DomainError("body_too_large", `Cannot read the form: it is over ${maxBytes} bytes`);
  }
  return new URLSearchParams(await req.text()).get("password") ?? "";
}
