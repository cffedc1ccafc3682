import { calls } from "../../../lib/server/http/calls.ts";
import {
  factorOwner,
  recordFactors,
  requireFactors,
} from "../../../lib/server/http/request/auth/factor_requests.ts";
import { textField } from "../../../lib/server/http/request/json_body.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import {
  clientOf,
  recoveryCodesAnswer,
  tokenAnswer,
} from "../../../lib/server/http/response/session_answers.ts";
import { headerNamed, json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { jsonBody } from "../../../lib/server/http/openapi/json_body.ts";
import { badProof, newToken, ownProofs } from "../../../lib/server/http/openapi/parts/accounts.ts";

/** The user's own authenticator app: setting it up in two steps, and removing it. */
export const handler = calls({
  POST: {
    id: "beginTotp",
    tag: "Sessions",
    summary: "Start the setup of an authenticator app",
    description:
      "Returns a new secret for time-based codes (RFC 6238: SHA-1, six digits, 30 seconds) " +
      "and its address for a QR code. Nothing changes until the app has proved with a code " +
      "that it has the secret.",
    who: "enrolling",
    answers: { 200: json("The secret.", schemaNamed("TotpSetup")) },
    examples: `
$ curl -s $CUBBY/api/factors/totp -X POST -H "X-Auth: $TOKEN"
{"setup":"eyJ…","secret":"…","uri":"otpauth://totp/Cubby:admin?issuer=Cubby&secret=…&algorithm=SHA1&digits=6&period=30"}
`,
    async handle(ctx) {
      const { user, settings } = factorOwner(ctx);
      const issuer = settings.branding.name || "Cubby";
      return jsonAnswer(await ctx.state.cubby.factors.beginTotp(user, issuer));
    },
  },
  PUT: {
    id: "addTotp",
    tag: "Sessions",
    summary: "Finish the setup of an authenticator app",
    description:
      "From then on a sign-in by password asks for a code. All sessions end; the answer has " +
      "the token of a new one, and ten recovery codes if this is your first factor. They are " +
      "not shown again. A user who has a second factor already sends a `code` of that one as " +
      "well. A wrong `app_code` is 400 `invalid_option`; a setup that was started more than " +
      "15 minutes ago is 404.",
    who: "enrolling",
    body: jsonBody({
      setup: { type: "string", description: "As the call before has given it." },
      app_code: { type: "string", description: "A code that the app shows." },
      ...ownProofs,
    }, ["setup", "app_code", "current_password"]),
    answers: {
      200: json("Set up.", schemaNamed("RecoveryCodes"), {
        "Set-Cookie": headerNamed("SetToken"),
      }),
    },
    refusals: [...badProof, "invalid_option", "not_found", "exists"],
    examples: `
$ curl $CUBBY/api/factors/totp -X PUT -H "X-Auth: $TOKEN" --json '{"setup": "eyJ", "app_code": "123456", "current_password": "a cub naps beside 7 rivers"}'
{"code":"not_found","message":"Cannot set up the app: the time limit has passed; start again"}
`,
    async handle(ctx, body) {
      const signedIn = factorOwner(ctx);
      const { user } = signedIn;
      const { factors, sessions } = ctx.state.cubby;
      const setup = textField(body, "setup");
      // Read first, so that a slip of the finger uses up no code of another factor.
      const totp = await factors.readTotp(user, setup, textField(body, "app_code"));
      await requireFactors(ctx, body);
      const changed = await factors.addTotp(user, totp);
      recordFactors(ctx, "factor_add", signedIn);
      const { token } = await sessions.open(changed.user, clientOf(ctx));
      return recoveryCodesAnswer(ctx, changed.recoveryCodes ?? [], token);
    },
  },
  DELETE: {
    id: "removeTotp",
    tag: "Sessions",
    summary: "Remove the authenticator app",
    description:
      "Needs your `current_password` and a `code`, of the app or a recovery code. Removing " +
      "the last factor removes the recovery codes. All sessions end; the answer is a new " +
      "token.",
    who: "enrolling",
    body: jsonBody(ownProofs, ["current_password"]),
    answers: { 200: newToken },
    refusals: [...badProof, "not_found"],
    async handle(ctx, body) {
      const signedIn = factorOwner(ctx);
      const { factors, sessions } = ctx.state.cubby;
      await requireFactors(ctx, body);
      const changed = await factors.removeTotp(signedIn.user);
      recordFactors(ctx, "factor_remove", signedIn);
      return tokenAnswer(ctx, (await sessions.open(changed, clientOf(ctx))).token);
    },
  },
});
