import type { Context } from "fresh";
import type { State } from "../../define.ts";
import type { PartBody } from "../../../files/upload/part_file.ts";
import type { UploadState } from "../../../files/upload/upload_parts.ts";
import { withHooks } from "../../../features/commands/hooks.ts";
import { receivedSubject } from "../../../features/links/requests/received_files.ts";
import type { RequestUpload } from "../../../features/links/requests/request_uses.ts";
import type { RequestVisit } from "../../../features/links/requests/request_visit.ts";
import { visitByToken } from "../file_requests.ts";
import { stateHeaders } from "./tus.ts";

/** The headers that tell a visitor the state of an upload, and nothing of the file on the disk. */
export function visitorHeaders({ etag: _, ...state }: UploadState): HeadersInit {
  return stateHeaders(state);
}

/** How a visitor's upload gets its name: the commands hooked to uploads run as for the owner. */
export function namingReceived(
  ctx: Context<State>,
  { access, owner, settings, request }: RequestVisit,
): (upload: RequestUpload, finish: () => Promise<string>) => Promise<string> {
  return async (upload, finish) => {
    // The request, or its owner's rights, may have ended while the bytes came.
    await visitByToken(ctx);
    const acting = { signedIn: { user: owner, settings }, address: ctx.state.address };
    const subject = receivedSubject(access, request, upload);
    return await withHooks(ctx.state.cubby, "upload", { ...acting, ...subject }, finish);
  };
}

/** Adds bytes to a visitor's upload. */
export async function appendReceived(
  ctx: Context<State>,
  visit: RequestVisit,
  id: string,
  bytes: PartBody,
): Promise<UploadState> {
  const { received } = ctx.state.cubby;
  return await received.append(visit, id, bytes, namingReceived(ctx, visit));
}
