import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import type { Access } from "../../core/access/access.ts";
import { isAllowed } from "../../../shared/unless_refused.ts";
import { viewerOf } from "../../core/access/viewer.ts";
import { mustEnrol } from "../../features/accounts/auth/factors/must_enrol.ts";
import { unauthenticatedError } from "../../features/accounts/auth/jwt.ts";
import type { SignedIn } from "../../features/accounts/auth/session.ts";
import type { User } from "../../features/accounts/users/user.ts";
import { pathInView } from "../../features/dav/paths_in_view.ts";
import type { Share } from "../../features/links/shares/share.ts";
import { editionOf, enterByShare } from "../../features/links/shares/visit.ts";
import { type OfficeGrant, readAccessToken } from "../../features/office/access_tokens.ts";
import type { OfficeDocument } from "../../features/office/documents.ts";
import type { Office } from "../../features/office/office.ts";
import { isProven } from "../../features/office/proof.ts";
import { WopiRefusal } from "../../features/office/wopi_refusal.ts";
import type { State } from "../define.ts";
import { needReadInPlace } from "../request/share_requests.ts";

/** A request of the office server about a document, with the rights of the one who has it open. */
export interface WopiVisit {
  office: Office;
  grant: OfficeGrant;
  document: OfficeDocument;
  /** Reads. Paths are those of the user, or in the share. */
  access: Access;
  /** Changes; null for one who only views. */
  editing: Access | null;
  path: EntryPath;
  /** The user among whose files it is, whose rules and quota count. */
  owner: User;
  settings: Settings;
  /** The user who has it open; absent for a visitor of a share. */
  user?: User;
  share?: Share;
  /** It is shown, and is not to be saved or printed. */
  isViewOnly: boolean;
}

/** The office server. @throws DomainError `not_supported` without one */
export function officeOf({ state }: Pick<Context<State>, "state">): Office {
  const { office } = state.cubby;
  if (office) return office;
  throw new DomainError(
    "not_supported",
    "Cannot open the document in an editor: no office server is set up (--office-url)",
  );
}

/**
 * Admits a request of the office server: its token is for this document and alive, and the request
 * is signed if the office server signs. The session, the share and the rights are asked now, so that
 * a token is worth nothing once one of them has ended (CWE-613).
 *
 * @throws DomainError `not_signed_in`; `not_found` also when the file has gone; `forbidden`
 * @throws WopiRefusal `bad_proof`
 */
export async function visitDocument(ctx: Context<State>): Promise<WopiVisit> {
  const { key } = ctx.state.cubby;
  // Whoever sends a cookie along is not thereby signed in here.
  delete ctx.state.signedIn;
  const token = tokenOf(ctx);
  if (token === "") throw unauthenticatedError("there is no access token");
  const grant = await readAccessToken(key, token, ctx.params["id"] ?? "", Date.now());
  await assertProven(ctx, grant, token);
  return await admit(ctx, grant);
}

/** The token stands in the address; some clients send it in a header besides. */
function tokenOf({ url, req }: Context<State>): string {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(req.headers.get("authorization") ?? "") ?? [];
  return url.searchParams.get("access_token") ?? bearer ?? "";
}

async function assertProven(
  ctx: Context<State>,
  { host }: OfficeGrant,
  token: string,
): Promise<void> {
  const { discovery } = officeOf(ctx);
  const { keys } = await discovery.read();
  const header = (name: string) => ctx.req.headers.get(name) ?? "";
  // One that signs has got keys since.
  if (keys.length === 0 && header("x-wopi-proof") === "") return;
  const { pathname, search } = new URL(ctx.req.url);
  const request = {
    token,
    address: host + pathname + search,
    timestamp: header("x-wopi-timestamp"),
    proof: header("x-wopi-proof"),
    proofOld: header("x-wopi-proofold"),
  };
  if (await isProven(keys, request, Date.now())) return;
  // The office server may have new keys, or none any more.
  const { keys: present } = await discovery.reread();
  if (present.length === 0) return;
  if (present !== keys && await isProven(present, request, Date.now())) return;
  throw new WopiRefusal(
    "bad_proof",
    "Cannot answer the request: the office server has not signed it, or its clock or the address " +
      "of this server (--office-host-url) differs",
  );
}

/** What a grant is worth now. @throws as {@linkcode visitDocument} */
export async function admit(ctx: Context<State>, grant: OfficeGrant): Promise<WopiVisit> {
  const office = officeOf(ctx);
  const { config, sessions } = ctx.state.cubby;
  let caller: SignedIn | undefined;
  if (grant.session) {
    caller = await sessions.named(grant.session.userId, grant.session.sid);
    if (mustEnrol(caller, config)) throw unauthenticatedError("a second factor is to be set up");
    ctx.state.signedIn = caller;
  }
  const document = await office.documents.find(grant.document);
  if (!document) throw goneError();
  const entered = await enter(ctx, grant, caller);
  const { access, editing } = entered;
  const path = pathInView(access.viewer, document.place);
  const file = path === null ? null : access.find(path);
  if (path === null || file === null || access.placeOf(file) !== document.place) throw goneError();
  access.read(path);
  const mayEdit = editing !== null && isAllowed(() => editing.modify(path));
  return {
    ...entered,
    ...{ office, grant, document, path },
    editing: mayEdit ? editing : null,
    ...caller && { user: caller.user },
  };
}

type Entered = Pick<
  WopiVisit,
  "access" | "editing" | "owner" | "settings" | "share" | "isViewOnly"
>;

async function enter(
  ctx: Context<State>,
  { right, share: given }: OfficeGrant,
  caller: SignedIn | undefined,
): Promise<Entered> {
  const { gate, settings: store, shares, users } = ctx.state.cubby;
  if (!given) {
    if (!caller) throw unauthenticatedError("the token names no session");
    const { user, settings } = caller;
    const access = gate.enter(viewerOf(user, settings.rules));
    const editing = right === "edit" ? access : null;
    return { access, editing, owner: user, settings, isViewOnly: false };
  }
  const share = await shares.at(given.hash);
  if (editionOf(share) !== given.edition) throw unauthenticatedError("the share has changed");
  const options = { gate, users, shares, settings: await store.get() };
  const { may, editing, ...entered } = await enterByShare(share, caller?.user ?? null, options);
  needReadInPlace({ share, may }, "Cannot open the document", "view");
  return { ...entered, editing: right === "edit" ? editing : null, isViewOnly: may === "view" };
}

function goneError(): DomainError {
  return new DomainError(
    "not_found",
    "Cannot open the document: it was moved, renamed or deleted by another program",
  );
}
