import type { State } from "../../../../../../lib/server/define.ts";
import { methods } from "../../../../../../lib/server/http/middleware/methods.ts";
import { visitByToken } from "../../../../../../lib/server/http/request/file_requests.ts";
import {
  appendReceived,
  visitorHeaders,
} from "../../../../../../lib/server/http/request/uploads/request_uploads.ts";
import {
  addFirst,
  bringsBytes,
  byTus,
  metadataText,
  metadataTime,
  partBody,
  uploadLength,
} from "../../../../../../lib/server/http/request/uploads/tus.ts";

/** Begins the upload of a visitor, by the tus protocol. */
export const handler = byTus(methods<State>({
  async POST(ctx) {
    const visit = await visitByToken(ctx);
    const file = {
      name: metadataText(ctx.req, "filename"),
      sender: metadataText(ctx.req, "sender"),
      length: uploadLength(ctx.req),
      lastModified: metadataTime(ctx.req),
    };
    const first = bringsBytes(ctx.req) ? partBody(ctx.req, 0) : { body: null, offset: 0 };
    const { received } = ctx.state.cubby;
    const { id, state } = await received.begin(visit, file, ctx.state.address);
    const isMore = first.body !== null || file.length === 0;
    const append = () => appendReceived(ctx, visit, id, first);
    const now = isMore ? await addFirst(append, () => received.drop(visit, id)) : state;
    const location = `${ctx.url.pathname.replace(/\/$/, "")}/${id}`;
    return new Response(null, { status: 201, headers: { location, ...visitorHeaders(now) } });
  },
}));
