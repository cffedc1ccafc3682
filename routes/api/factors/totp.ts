import type { State } from "../../../lib/server/define.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import {
  factorOwner,
  noteFactors,
  requireFactors,
} from "../../../lib/server/http/request/auth/factor_requests.ts";
import { readJsonObject, textField } from "../../../lib/server/http/request/json_body.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import {
  clientOf,
  recoveryCodesAnswer,
  tokenAnswer,
} from "../../../lib/server/http/response/session_answers.ts";

/** The user's own authenticator app: setting it up in two steps, and removing it. */
export const handler = methods<State>({
  async POST(ctx) {
    const { user, settings } = factorOwner(ctx);
    const issuer = settings.branding.name || "Cubby";
    return jsonAnswer(await ctx.state.cubby.factors.beginTotp(user, issuer));
  },
  async PUT(ctx) {
    const signedIn = factorOwner(ctx);
    const { user } = signedIn;
    const { factors, sessions } = ctx.state.cubby;
    const body = await readJsonObject(ctx);
    const setup = textField(body, "setup");
    // Read first, so that a slip of the finger uses up no code of another factor.
    const totp = await factors.readTotp(user, setup, textField(body, "app_code"));
    await requireFactors(ctx, body);
    const changed = await factors.addTotp(user, totp);
    noteFactors(ctx, "factor_add", signedIn);
    const { token } = await sessions.open(changed.user, clientOf(ctx));
    return recoveryCodesAnswer(ctx, changed.recoveryCodes ?? [], token);
  },
  async DELETE(ctx) {
    const signedIn = factorOwner(ctx);
    const { factors, sessions } = ctx.state.cubby;
    await requireFactors(ctx, await readJsonObject(ctx));
    const changed = await factors.removeTotp(signedIn.user);
    noteFactors(ctx, "factor_remove", signedIn);
    return tokenAnswer(ctx, (await sessions.open(changed, clientOf(ctx))).token);
  },
});
