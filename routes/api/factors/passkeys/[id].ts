import type { State } from "../../../../lib/server/define.ts";
import { toPasskeyInfo } from "../../../../lib/server/auth/factors/factors_record.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import {
  factorOwner,
  noteFactors,
  requireFactors,
} from "../../../../lib/server/http/request/auth/factor_requests.ts";
import { readJsonObject } from "../../../../lib/server/http/request/json_body.ts";
import { jsonAnswer } from "../../../../lib/server/http/response/answers.ts";
import { clientOf, tokenAnswer } from "../../../../lib/server/http/response/session_answers.ts";
import { passkeyChangeSchema } from "../../../../lib/shared/schemas/passkeys.ts";
import { read } from "../../../../lib/shared/schemas/read.ts";

/** Renaming and removing a passkey of the user's own. */
export const handler = methods<State>({
  async PATCH(ctx) {
    const signedIn = factorOwner(ctx);
    const { name } = read(passkeyChangeSchema, await readJsonObject(ctx));
    const { factors } = ctx.state.cubby;
    const renamed = await factors.renamePasskey(signedIn.user.id, ctx.params.id ?? "", name);
    noteFactors(ctx, "factor_rename", signedIn, name);
    return jsonAnswer(toPasskeyInfo(renamed));
  },
  async DELETE(ctx) {
    const signedIn = factorOwner(ctx);
    const { factors, sessions } = ctx.state.cubby;
    await requireFactors(ctx, await readJsonObject(ctx));
    const { user, removed } = await factors.removePasskey(signedIn.user, ctx.params.id ?? "");
    noteFactors(ctx, "factor_remove", signedIn, removed.name);
    return tokenAnswer(ctx, (await sessions.open(user, clientOf(ctx))).token);
  },
});
