import type { State } from "../../lib/server/define.ts";
import { DomainError } from "../../lib/shared/errors.ts";
import { requirePasswords } from "../../lib/server/http/request/auth/require_passwords.ts";
import { takesPasswords } from "../../lib/server/config/config.ts";
import { captchaCheck } from "../../lib/server/http/request/auth/captcha.ts";
import {
  optionalText,
  readJsonObject,
  textField,
} from "../../lib/server/http/request/json_body.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import {
  countPasskeys,
  partyOf,
  passkeyIn,
  provesByPasskey,
} from "../../lib/server/http/request/auth/passkey_requests.ts";
import { clientOf, tokenAnswer } from "../../lib/server/http/response/session_answers.ts";
import { proxyUser } from "../../lib/server/http/middleware/proxy_user.ts";

/** Begins a session: with a name and password, or for the user whom a proxy authenticated. */
export const handler = methods<State>({
  async POST(ctx) {
    const { config, sessions } = ctx.state.cubby;
    if (!takesPasswords(config)) {
      const user = await proxyUser(ctx);
      if (!user) {
        throw new DomainError("wrong_credentials", "Cannot sign in: nobody vouches for you");
      }
      return tokenAnswer(ctx, (await sessions.open(user, clientOf(ctx))).token);
    }

    requirePasswords(config, "sign in");
    const body = await readJsonObject(ctx);
    const credentials = {
      username: textField(body, "username"),
      password: textField(body, "password"),
    };
    const proof = captchaCheck(ctx, body);
    const code = optionalText(body, "code");
    const passkey = passkeyIn(body);
    const factor = passkey && (({ id }: { id: number }) => provesByPasskey(ctx, id, passkey));
    const party = countPasskeys(config) ? partyOf(ctx).id : null;
    const asked = { ...credentials, proof, code, factor, party };
    const { token } = await sessions.signIn({ ...asked, ...clientOf(ctx) });
    return tokenAnswer(ctx, token);
  },
});
