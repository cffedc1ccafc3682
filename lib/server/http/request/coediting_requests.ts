import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { admit, type Grant } from "../../features/coediting/grants.ts";
import { refuseOn } from "../../features/coediting/member.ts";
import type { Visitor } from "../../features/coediting/rooms.ts";
import { pathInView } from "../../features/dav/paths_in_view.ts";
import { editionOf } from "../../features/links/shares/visit.ts";
import type { State } from "../define.ts";
import { refuseOtherOrigins } from "../middleware/origin_checks.ts";
import { sessionOf } from "../middleware/sign_in.ts";
import { accessFor } from "./access_for.ts";
import { recordVisit } from "./activities.ts";
import { relayedSocket, upgrade } from "./relayed_sockets.ts";
import { requestPath } from "./request_path.ts";
import { needReadInPlace, visitByCall, visitorIn } from "./share_requests.ts";

type Ctx = Context<State>;

/** The longest words by which a page names itself and its history, in characters. */
const maxWord = 64;

/**
 * Opens a WebSocket on which a user edits a text of its own together with others. Refusals are told
 * on the socket, as browsers show no page the answer to an upgrade.
 *
 * @throws DomainError as `admit()` for a request that asks for no WebSocket; `forbidden` for pages of
 * other sites
 */
export async function openOwnText(ctx: Ctx): Promise<Response> {
  return await openText(ctx, async () => {
    const { path, folder } = requestPath(ctx, "coediting");
    const { session, user } = sessionOf(ctx);
    const access = accessFor(ctx);
    if (folder) access.folder(path);
    const { sid, userId } = session;
    const grant = {
      session: { sid, userId, epoch: user.epoch },
      address: ctx.state.address,
    };
    return await visitorOf(ctx, { grant, access, path, name: user.username });
  });
}

/**
 * The same in a share: those who may `edit` edit, all others follow.
 *
 * @throws DomainError as {@linkcode openOwnText} and `visitByCall()`
 */
export async function openSharedText(ctx: Ctx): Promise<Response> {
  return await openText(ctx, async () => {
    const visit = await visitByCall(ctx, "public/coediting");
    const { access, path, share } = visit;
    needReadInPlace(visit, "Cannot open the text", "view");
    const { session, user } = ctx.state.signedIn ?? {};
    const visitor = visitorIn(ctx.url);
    const grant: Grant = {
      ...session && user
        ? { session: { sid: session.sid, userId: session.userId, epoch: user.epoch } }
        : { visitor },
      share: { hash: share.hash, edition: editionOf(share) },
      address: ctx.state.address,
    };
    const name = session && user ? user.username : visitor;
    const found = await visitorOf(ctx, { grant, access, path, name });
    recordVisit(ctx, "share_visit", visit);
    return found;
  });
}

async function openText(ctx: Ctx, find: () => Promise<Visitor>): Promise<Response> {
  refuseOtherOrigins(ctx);
  const { cubby } = ctx.state;
  if (ctx.req.method !== "GET" || ctx.req.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    await find();
    throw new DomainError("invalid_option", "Cannot edit a text here: this address is a WebSocket");
  }
  const found = await find().catch((error) => {
    if (error instanceof DomainError) return error;
    throw error;
  });
  const { socket, response, meter } = relayedSocket(ctx) ?? upgrade(ctx);
  if (found instanceof DomainError) void refuseOn(socket, found);
  else cubby.coediting.serve(socket, found, meter);
  return response;
}

interface Found {
  grant: Grant;
  access: Access;
  path: EntryPath;
  name: string;
}

async function visitorOf(
  { url, state: { cubby } }: Ctx,
  { grant, access, path, name }: Found,
): Promise<Visitor> {
  const place = access.placeOf(access.read(path));
  if (pathInView(access.viewer, place) === null) {
    throw new DomainError(
      "forbidden",
      `Cannot edit "${path}" together: it is a link to a file that you do not see`,
    );
  }
  const { editing } = await admit(cubby, grant, place);
  return {
    ...{ grant, name, place, right: editing ? "edit" : "view" },
    page: wordIn(url, "page"),
    document: wordIn(url, "document") || null,
  };
}

function wordIn({ searchParams }: URL, name: string): string {
  const word = searchParams.get(name) ?? "";
  if (/^[\w-]*$/.test(word) && word.length <= maxWord) return word;
  throw new DomainError(
    "invalid_option",
    `Cannot read ${name}: expected at most ${maxWord} letters`,
  );
}
