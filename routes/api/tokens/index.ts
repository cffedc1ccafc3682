import type { State } from "../../../lib/server/define.ts";
import { toApiTokenInfo } from "../../../lib/server/auth/api_token.ts";
import { apiTokenDraftSchema } from "../../../lib/shared/schemas/api_token.ts";
import { read } from "../../../lib/shared/schemas/read.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { listAnswer, listOf } from "../../../lib/server/http/request/lists/list.ts";
import { readJsonObject } from "../../../lib/server/http/request/json_body.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { boundOf, tokenOwnerOf } from "../../../lib/server/http/request/auth/token_requests.ts";
import { requireReauthentication } from "../../../lib/server/http/request/auth/require_passwords.ts";

/** The user's own API tokens, listed and made; administrators list those of others. */
export const handler = methods<State>({
  async GET(ctx) {
    const owner = await tokenOwnerOf(ctx, sessionOf(ctx).user);
    const tokens = await ctx.state.cubby.apiTokens.list(owner.id);
    const list = listOf(tokens, {
      positionOf: ({ id }) => id,
      textOf: ({ name }) => name,
      show: (some) => some.map((token) => toApiTokenInfo(token, owner)),
    });
    return await listAnswer(ctx, list);
  },
  async POST(ctx) {
    const { user } = sessionOf(ctx);
    const body = await readJsonObject(ctx);
    const { folder, ...draft } = read(apiTokenDraftSchema, body);
    const place = boundOf(ctx, folder);
    await requireReauthentication(ctx, body);
    const { token, secret } = await ctx.state.cubby.apiTokens.create(user.id, draft, place);
    noteActivity(ctx, "token_add", { subject: token.name });
    return jsonAnswer({ ...toApiTokenInfo(token, user), token: secret }, { status: 201 });
  },
});
