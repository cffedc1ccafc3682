import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { State } from "../../define.ts";
import type { PartBody, UploadState } from "../../files/upload/resumable.ts";
import { withHooks } from "../../hooks/hooks.ts";
import type { RequestVisit } from "../../requests/request_visit.ts";
import { errorResponse } from "../response/error_response.ts";
import { checkTusVersion, stateHeaders, withTusHeaders } from "./tus.ts";

/** A handler with the headers that every answer of the tus protocol has, refusals included. */
export function byTus(
  handle: (ctx: Context<State>) => Promise<Response>,
): (ctx: Context<State>) => Promise<Response> {
  return async function answer(ctx) {
    try {
      checkTusVersion(ctx.req);
      return withTusHeaders(await handle(ctx), ctx.req.method);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return withTusHeaders(errorResponse(error, ctx.req), ctx.req.method);
    }
  };
}

/** The headers that tell a visitor the state of an upload, and nothing of the file on the disk. */
export function visitorHeaders({ etag: _, ...state }: UploadState): HeadersInit {
  return stateHeaders(state);
}

/** Adds bytes to a visitor's upload; the commands hooked to uploads run as for the owner. */
export async function appendReceived(
  ctx: Context<State>,
  visit: RequestVisit,
  id: string,
  bytes: PartBody,
): Promise<UploadState> {
  const { cubby, address } = ctx.state;
  const { access, owner, settings } = visit;
  return await cubby.received.append(visit, id, bytes, async (path, finish) => {
    const signedIn = { user: owner, settings };
    const subject = { signedIn, address, access, path, request: visit.request.hash };
    const file = () => access.create(path).real;
    return await withHooks(cubby, "upload", { ...subject, file }, finish);
  });
}
