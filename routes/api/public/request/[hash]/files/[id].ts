import type { State } from "../../../../../../lib/server/define.ts";
import { methods } from "../../../../../../lib/server/http/middleware/methods.ts";
import { visitByToken } from "../../../../../../lib/server/http/request/file_requests.ts";
import {
  appendReceived,
  namingReceived,
  visitorHeaders,
} from "../../../../../../lib/server/http/request/uploads/request_uploads.ts";
import { byTus, partBody } from "../../../../../../lib/server/http/request/uploads/tus.ts";

/** The upload of a visitor, which its id alone leads to: how much has come, more of it, its end. */
export const handler = byTus(methods<State>({
  async GET(ctx) {
    const visit = await visitByToken(ctx);
    const { received } = ctx.state.cubby;
    const naming = namingReceived(ctx, visit);
    const state = await received.state(visit, ctx.params.id ?? "", naming);
    return new Response(null, { headers: visitorHeaders(state) });
  },
  async PATCH(ctx) {
    const visit = await visitByToken(ctx);
    const state = await appendReceived(ctx, visit, ctx.params.id ?? "", partBody(ctx.req));
    return new Response(null, { status: 204, headers: visitorHeaders(state) });
  },
  async DELETE(ctx) {
    const visit = await visitByToken(ctx);
    await ctx.state.cubby.received.drop(visit, ctx.params.id ?? "");
    return new Response(null, { status: 204 });
  },
}));
