import type { Context } from "fresh";
import type { State } from "../../../define.ts";
import type { PartBody, UploadState } from "../../../files/upload/resumable.ts";
import { withHooks } from "../../../hooks/hooks.ts";
import type { RequestVisit } from "../../../requests/request_visit.ts";
import { visitByToken } from "../file_requests.ts";
import { stateHeaders } from "./tus.ts";

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
  return await cubby.received.append(visit, id, bytes, async (upload, finish) => {
    // The request, or its owner's rights, may have ended while the bytes came.
    await visitByToken(ctx);
    const { path, length, sender = "" } = upload;
    const signedIn = { user: owner, settings };
    const by = { request: visit.request.hash, details: { sender, bytes: length } };
    const subject = { signedIn, address, access, path, ...by };
    const file = () => access.create(path).real;
    return await withHooks(cubby, "upload", { ...subject, file }, finish);
  });
}
