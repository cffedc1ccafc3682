import type { State } from "../../../../lib/server/define.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import {
  factorOwner,
  noteFactors,
  requireFactors,
} from "../../../../lib/server/http/request/auth/factor_requests.ts";
import { readJsonObject } from "../../../../lib/server/http/request/json_body.ts";
import { partyOf } from "../../../../lib/server/http/request/auth/passkey_requests.ts";
import { jsonAnswer } from "../../../../lib/server/http/response/answers.ts";
import {
  clientOf,
  recoveryCodesAnswer,
} from "../../../../lib/server/http/response/session_answers.ts";
import { addedPasskeySchema } from "../../../../lib/shared/schemas/passkeys.ts";
import { read } from "../../../../lib/shared/schemas/read.ts";

/** Setting up a passkey of the user's own, in two steps. */
export const handler = methods<State>({
  async POST(ctx) {
    const signedIn = factorOwner(ctx);
    // Asked first, so that no device keeps a passkey that the server refuses afterwards.
    await requireFactors(ctx, await readJsonObject(ctx));
    const site = signedIn.settings.branding.name || "Cubby";
    const { passkeys } = ctx.state.cubby;
    return jsonAnswer(await passkeys.beginCreation(signedIn, partyOf(ctx), site));
  },
  async PUT(ctx) {
    const signedIn = factorOwner(ctx);
    const { factors, passkeys, sessions } = ctx.state.cubby;
    const { name, credential } = read(addedPasskeySchema, await readJsonObject(ctx));
    const passkey = await passkeys.readCreated(signedIn, partyOf(ctx), credential, name);
    const changed = await factors.addPasskey(signedIn.user, passkey);
    noteFactors(ctx, "factor_add", signedIn, name);
    const { token } = await sessions.open(changed.user, clientOf(ctx));
    return recoveryCodesAnswer(ctx, changed.recoveryCodes ?? [], token);
  },
});
