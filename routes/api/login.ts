import { DomainError } from "../../lib/shared/errors.ts";
import { takesPasswords } from "../../lib/server/config/config.ts";
import { calls } from "../../lib/server/http/calls.ts";
import { proxyUser } from "../../lib/server/http/middleware/proxy_user.ts";
import { captchaCheck } from "../../lib/server/http/request/auth/captcha.ts";
import {
  countPasskeys,
  partyOf,
  passkeyIn,
  provesByPasskey,
} from "../../lib/server/http/request/auth/passkey_requests.ts";
import { requirePasswords } from "../../lib/server/http/request/auth/require_passwords.ts";
import { optionalText, readJsonBody, textField } from "../../lib/server/http/request/json_body.ts";
import { clientOf, tokenAnswer } from "../../lib/server/http/response/session_answers.ts";
import { captchaProof, jsonBody } from "../../lib/server/openapi/json_body.ts";
import { newToken, passkeyProof } from "../../lib/server/openapi/parts/sessions.ts";

/** What is read where passwords count; a server that vouches for its users reads none. */
const credentialsBody = jsonBody(
  {
    username: { type: "string" },
    password: { type: "string" },
    recaptcha: captchaProof,
    code: {
      type: "string",
      description: "A code of the user's authenticator app, or a recovery code. Each counts once.",
    },
    passkey: passkeyProof,
  },
  ["username", "password"],
  { lenientAt: [""], isReadByCall: true },
);

/** Begins a session: with a name and password, or for the user whom a proxy authenticated. */
export const handler = calls({
  POST: {
    id: "login",
    tag: "Sessions",
    summary: "Begin a session",
    description: "Gives a token for a name and password; its parts are told of in `TokenClaims`. " +
      "Where the server vouches for users (`proxy`, `noauth`) no body is read.\n\n" +
      "A user with a second factor is refused with `second_factor_required` once name and " +
      "password are right, with what the user has as `factors`; the same call with `code` or " +
      "`passkey` signs in.\n\n" +
      "Unknown names are refused like wrong passwords. Within 15 minutes, five failures for one " +
      "account from one address, twenty from one address or fifty for one account close the door " +
      "for a while that grows.",
    who: "anyone",
    body: credentialsBody,
    answers: { 200: newToken },
    refusals: ["wrong_credentials", "second_factor_required", "throttled"],
    async handle(ctx) {
      const { config, sessions } = ctx.state.cubby;
      if (!takesPasswords(config)) {
        const user = await proxyUser(ctx);
        if (!user) {
          throw new DomainError("wrong_credentials", "Cannot sign in: nobody vouches for you");
        }
        return tokenAnswer(ctx, (await sessions.open(user, clientOf(ctx))).token);
      }

      requirePasswords(config, "sign in");
      const body = await readJsonBody(ctx, credentialsBody);
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
  },
});
