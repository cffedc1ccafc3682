import type { RouteConfig } from "fresh";
import type { State } from "../../../../lib/server/define.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import { visitorHeaders } from "../../../../lib/server/http/request/uploads/request_uploads.ts";
import {
  appendShared,
  beginShared,
  dropShared,
  sharedState,
  sharedUpload,
} from "../../../../lib/server/http/request/uploads/shared_uploads.ts";
import {
  addFirst,
  bringsBytes,
  byTus,
  partBody,
} from "../../../../lib/server/http/request/uploads/tus.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/public/tus{/*}?" };

/** Files that recipients of a share add to it, by the tus protocol. */
export const handler = byTus(methods<State>({
  async GET(ctx) {
    const state = await sharedState(ctx, await sharedUpload(ctx));
    return new Response(null, { headers: visitorHeaders(state) });
  },
  async POST(ctx) {
    const first = bringsBytes(ctx.req) ? partBody(ctx.req, 0) : { body: null, offset: 0 };
    const { upload, state, location } = await beginShared(ctx);
    const isMore = first.body !== null || state.length === 0;
    const append = () => appendShared(ctx, upload, first);
    const now = isMore ? await addFirst(append, () => dropShared(ctx, upload)) : state;
    return new Response(null, { status: 201, headers: { location, ...visitorHeaders(now) } });
  },
  async PATCH(ctx) {
    const upload = await sharedUpload(ctx);
    const state = await appendShared(ctx, upload, partBody(ctx.req));
    return new Response(null, { status: 204, headers: visitorHeaders(state) });
  },
  async DELETE(ctx) {
    await dropShared(ctx, await sharedUpload(ctx));
    return new Response(null, { status: 204 });
  },
}));
