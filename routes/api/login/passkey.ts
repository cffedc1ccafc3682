import type { State } from "../../../lib/server/define.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { readJsonObject } from "../../../lib/server/http/request/json_body.ts";
import {
  partyOf,
  requirePasskeys,
  requirePasskeysAlone,
} from "../../../lib/server/http/request/auth/passkey_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { clientOf, tokenAnswer } from "../../../lib/server/http/response/session_answers.ts";
import { passkeyAnswerSchema } from "../../../lib/shared/schemas/passkeys.ts";
import { read } from "../../../lib/shared/schemas/read.ts";

/** Signing in by a passkey, in two steps. The question of the first is also that of a proof. */
export const handler = methods<State>({
  async POST(ctx) {
    const { config, passkeys } = ctx.state.cubby;
    requirePasskeys(config);
    return jsonAnswer(await passkeys.ask(partyOf(ctx)));
  },
  async PUT(ctx) {
    const { config, passkeys } = ctx.state.cubby;
    requirePasskeysAlone(config);
    const answer = read(passkeyAnswerSchema, await readJsonObject(ctx));
    const { token } = await passkeys.signIn(partyOf(ctx), answer, clientOf(ctx));
    return tokenAnswer(ctx, token);
  },
});
