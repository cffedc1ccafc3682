import { DomainError } from "../../lib/shared/errors.ts";
import { takesPasswords } from "../../lib/server/core/config/config.ts";
import { calls } from "../../lib/server/http/calls.ts";
import { proxyUser } from "../../lib/server/http/middleware/proxy_user.ts";
import { captchaCheck } from "../../lib/server/http/request/auth/captcha.ts";
import {
  countPasskeys,
  partyOf,
  passkeyIn,
  verifyByPasskey,
} from "../../lib/server/http/request/auth/factor_requests.ts";
import { requirePasswords } from "../../lib/server/http/request/auth/require_passwords.ts";
import { optionalText, readJsonBody, textField } from "../../lib/server/http/request/json_body.ts";
import { clientOf, tokenAnswer } from "../../lib/server/http/response/session_answers.ts";
import { captchaProof, jsonBody } from "../../lib/server/http/openapi/json_body.ts";
import { newToken, passkeyProof } from "../../lib/server/http/openapi/parts/accounts.ts";

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
    summary: "Open a session",
    description:
      "Exchanges a name and a password for a token, in the body and in the cookie `auth`. The " +
      "claims of the token are described as `TokenClaims`. Where the server vouches for users " +
      "(`proxy`, `noauth`) no body is read.\n\n" +
      "A user with a second factor also needs a code. Once name and password are right, a " +
      "call without one is 401 `second_factor_required`, with the user's `factors`: `totp`, " +
      "`passkey` (under the host name of the request), `recovery`. Repeat the call with " +
      "`code`, or with `passkey`: what a passkey of the user has signed for `POST " +
      "/api/login/passkey`. A code works once. Before the password is right, no answer " +
      "reveals whether the user has a second factor.\n\n" +
      "Where the server requires a captcha (`--recaptcha-key`), send the widget's result as " +
      "`recaptcha`.\n\n" +
      "A wrong password, an unknown name, a wrong code, and a missing, wrong or used captcha " +
      "are 403 `wrong_credentials`. Each counts as a failure. Within 15 minutes, five " +
      "failures for one account from one address, twenty from one address, or fifty for one " +
      "account are answered with 429 for a time that grows.",
    who: "anyone",
    body: credentialsBody,
    answers: { 200: newToken },
    refusals: ["wrong_credentials", "second_factor_required", "throttled"],
    examples: `
$ curl -i $CUBBY/api/login --json '{"username": "admin", "password": "a cub naps beside 7 rivers"}'
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
set-cookie: auth=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.…; Path=/; Max-Age=7200; HttpOnly; SameSite=Lax

eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.…

$ curl -i $CUBBY/api/login --json '{"username": "admin", "password": "open sesame"}'
HTTP/1.1 403 Forbidden
content-type: application/json; charset=utf-8

{"code":"wrong_credentials","message":"Cannot sign in: the name or the password is wrong"}
`,
    async handle(ctx) {
      const { config, sessions } = ctx.state.cubby;
      if (!takesPasswords(config)) {
        const user = await proxyUser(ctx);
        if (!user) {
          throw new DomainError("wrong_credentials", "Cannot sign in: the proxy named no user");
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
      const factor = passkey && (({ id }: { id: number }) => verifyByPasskey(ctx, id, passkey));
      const party = countPasskeys(config) ? partyOf(ctx).id : null;
      const asked = { ...credentials, proof, code, factor, party };
      const { token } = await sessions.signIn({ ...asked, ...clientOf(ctx) });
      return tokenAnswer(ctx, token);
    },
  },
});
