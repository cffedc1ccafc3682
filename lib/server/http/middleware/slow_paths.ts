import type { Context } from "fresh";
import type { Access } from "../../core/access/access.ts";
import {
  type EntryPath,
  parentOf,
  parsePath,
  parseUrlPath,
  ROOT,
  segmentsOf,
} from "../../../shared/path.ts";
import { slowMountsOf } from "../../core/access/slow_mounts.ts";
import { SERVER } from "../../core/access/viewer.ts";
import type { State } from "../define.ts";
import { type Mount, mounts } from "../../core/disk/mounts.ts";
import { DomainError } from "../../../shared/errors.ts";
import { homeOf } from "../../features/accounts/users/home.ts";
import { enterRequest } from "../../features/links/requests/request_visit.ts";
import { shareFor } from "../request/share_requests.ts";
import { enterShare } from "../../features/links/shares/visit.ts";
import { destinationOf, isDavAddress } from "../dav/dav_address.ts";
import { accessFor } from "../request/access_for.ts";
import { relaySocket } from "../request/relayed_sockets.ts";
import { recursiveFolder } from "../request/request_path.ts";
import { transferOptions } from "../request/transfer_options.ts";

/** Calls whose URL names an entry, in the second group. */
const entryCalls =
  /^(\/files|\/office|\/dav|\/remote\.php\/(?:webdav|dav\/files\/[^/]+)|\/index\.php\/(?:core\/preview\.png|apps\/files\/api\/v1\/thumbnail\/\d+\/\d+)|\/api\/(?:resources|tus|uploads|raw|archive|search|sizes?|subtitle|office|coediting|usage|media|watch|share|request|history|favorites|recent|preview\/[^/]*))(\/.*)?$/;

/** The call whose query names an entry. */
const previewCall = "/index.php/core/preview.png";

/** Calls whose URL names a share, and an entry in it. */
const shareCalls =
  /^\/(?:share|api\/public\/(?:coediting|dl|office|share|trash|tus|preview\/[^/]*))(\/.+)$/;

/** Calls that open a text on a WebSocket. */
const textCalls = /^\/api\/(?:public\/)?coediting\//;

/** Calls by which recipients change what is shared, anywhere in it. */
const editCalls = /^\/api\/public\/(?:share|trash)\//;

/** Calls that put files into the folder of a request. */
const requestCalls = /^\/api\/public\/request\/([^/]+)/;

/** Calls about uploads in chunks. */
const uploadCalls = /^\/remote\.php\/dav\/uploads\//;

/** Calls of sync clients about shares of any entries. */
const clientShareCalls = /^\/ocs\/v[12]\.php\/apps\/files_sharing\//;

/** Requests of the office server about a document. */
const documentCalls = /^\/wopi\/files\/([^/]+)/;

/** Calls that may create a home folder, at the place in the settings. */
const homeCalls = /^\/api\/(?:signup|users)\/?$/;

/** Calls about entries anywhere below a folder. */
const deepCalls = /^\/api\/(?:raw|search|size|uploads|public\/dl)(?:\/|$)/;

/**
 * Middleware: forwards a request for a disk that may hang to a thread that waits for it. Access is
 * checked there and not here, so that permissions are decided in one place. The WebSocket of a text
 * stays here, and its messages are forwarded; that for commands is refused by the guard of the disk
 * (`disk_timeout`).
 */
export async function leaveToSlowDisks(ctx: Context<State>): Promise<Response> {
  const { config, slowDisks } = ctx.state.cubby;
  if (slowDisks === null) return await ctx.next();
  if (mounts.concerning(config.root, "below").length === 0) return await ctx.next();
  const concerned = await slowDisksOf(ctx);
  if (concerned === null || concerned.disks.length === 0) return await ctx.next();
  const { disks, path } = concerned;
  const { remoteAddr } = ctx.info;
  const call = ctx.url.pathname.slice(ctx.config.basePath.length);
  if (!textCalls.test(call) || ctx.req.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    return await slowDisks.fetch(ctx.req, { remoteAddr }, disks, path);
  }
  return await relaySocket(
    ctx,
    (relay) => slowDisks.fetch(ctx.req, { remoteAddr, relay }, disks, path),
  );
}

interface Concerned {
  disks: Mount[];
  path: EntryPath;
}

/** Null for a request that names no entry, or is refused without disk access. */
async function slowDisksOf(ctx: Context<State>): Promise<Concerned | null> {
  try {
    const call = ctx.url.pathname.slice(ctx.config.basePath.length);
    const { method } = ctx.req;
    const isMoving = isTransfer(call, method);
    const depth = deepCalls.test(call) || method === "DELETE" || isMoving ? "below" : "entry";
    const [, requested] = requestCalls.exec(call) ?? [];
    if (requested !== undefined) {
      const { gate, requests, settings, users } = ctx.state.cubby;
      const request = await requests.get(requested);
      const { access } = await enterRequest(request, {
        gate,
        users,
        settings: await settings.get(),
      });
      return concernedBy(access, ROOT, "entry");
    }
    const share = shareCalls.exec(call);
    if (share) {
      const isEdit = editCalls.test(call) && method !== "GET" && method !== "HEAD";
      return await disksOfShare(ctx, share[1] ?? "/", isEdit ? "all" : depth);
    }
    const { gate, office, settings } = ctx.state.cubby;
    const [, document] = documentCalls.exec(call) ?? [];
    if (document !== undefined) {
      const found = await office?.documents.find(document);
      return found ? concernedBy(gate.enter(SERVER), found.place, "entry") : null;
    }
    if (homeCalls.test(call) && method === "POST") {
      const homes = parentOf(homeOf("any", await settings.get()));
      return concernedBy(gate.enter(SERVER), homes, "entry");
    }
    // A search is about any entry; the folder of an upload in chunks is known from a record alone.
    const isSearch = (method === "SEARCH" || method === "REPORT") && isDavAddress(ctx);
    const isAny = isSearch || clientShareCalls.test(call);
    if (isAny || uploadCalls.test(call)) return concernedBy(accessFor(ctx), ROOT, "below");
    const entry = entryCalls.exec(call);
    if (!entry || !ctx.state.signedIn) return null;
    const access = accessFor(ctx);
    const named = call === previewCall ? ctx.url.searchParams.get("file") : null;
    const { path } = named === null ? parseUrlPath(entry[2] ?? "/") : parsePath(named);
    const tree = call.startsWith("/api/resources") ? recursiveFolder(ctx, path) : null;
    if (tree) return concernedBy(access, tree, "below");
    const concerned = concernedBy(access, path, depth);
    if (!isMoving) return concerned;
    const to = isDavAddress(ctx) ? destinationOf(ctx).path : transferOptions(ctx.url).to;
    const target = concernedBy(access, to, "below");
    return { ...concerned, disks: [...new Set([...concerned.disks, ...target.disks])] };
  } catch (error) {
    // The route refuses the request with its own error.
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** Whether a request copies or moves. The other PATCH brings bytes of an upload. */
function isTransfer(call: string, method: string): boolean {
  if (method === "COPY" || method === "MOVE") return true;
  return method === "PATCH" && !call.startsWith("/api/tus/");
}

async function disksOfShare(
  ctx: Context<State>,
  text: string,
  depth: "entry" | "below" | "all",
): Promise<Concerned> {
  const { gate, settings, users } = ctx.state.cubby;
  const [hash = "", ...rest] = segmentsOf(parseUrlPath(text).path);
  const { share } = await shareFor(ctx, hash);
  const visit = await enterShare(share, { gate, users, settings: await settings.get() });
  if (depth === "all") return concernedBy(visit.access, ROOT, "below");
  return concernedBy(visit.access, parsePath(rest.join("/")).path, depth);
}

function concernedBy(access: Access, path: EntryPath, depth: "entry" | "below"): Concerned {
  return { path, disks: slowMountsOf(access, path, depth) };
}
