import type { RouteConfig } from "fresh";
import type { State } from "../../../../lib/server/define.ts";
import { describe } from "../../../../lib/server/files/listing/describe.ts";
import { reserveMemory } from "../../../../lib/server/http/middleware/heavy_answers.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import { countOption, sortingOption } from "../../../../lib/server/http/request/query.ts";
import { sharedAnswer } from "../../../../lib/server/http/response/resource_answers.ts";
import { noteVisit } from "../../../../lib/server/http/request/activities.ts";
import {
  discardShared,
  makeSharedFolder,
  moveShared,
  saveShared,
} from "../../../../lib/server/http/request/shared_changes.ts";
import { textAnswer } from "../../../../lib/server/http/response/answers.ts";
import { visitByCall } from "../../../../lib/server/http/request/share_requests.ts";
import { shareTokenOf } from "../../../../lib/server/shares/share_tokens.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/public/share{/*}?" };

/**
 * A share, or an entry in it: described for visitors with the link and the password, changed by
 * recipients who may edit.
 */
export const handler = methods<State>({
  async GET(ctx) {
    const { cubby } = ctx.state;
    const visit = await visitByCall(ctx, "public/share");
    const { access, address, owner, path, share } = visit;
    noteVisit(ctx, "share_visit", visit);
    const query = ctx.url.searchParams;
    const description = await describe(access, cubby, path, {
      offset: countOption(query, "offset"),
      limit: countOption(query, "limit"),
      sorting: sortingOption(query, owner.sorting),
      signal: ctx.req.signal,
      reserve: (bytes) => reserveMemory(ctx, bytes),
    });
    const token = await shareTokenOf(cubby.key, share);
    await cubby.shares.uses.noteVisit(share);
    return await sharedAnswer(ctx, description, { hash: address, token });
  },

  async POST(ctx) {
    await makeSharedFolder(ctx);
    return textAnswer("OK\n");
  },

  async PUT(ctx) {
    const { etag } = await saveShared(ctx);
    return textAnswer("OK\n", { headers: { etag } });
  },

  async PATCH(ctx) {
    const location = await moveShared(ctx);
    return textAnswer("OK\n", { headers: { "content-location": location } });
  },

  async DELETE(ctx) {
    const location = await discardShared(ctx);
    return textAnswer("OK\n", { headers: { "content-location": location } });
  },
});
