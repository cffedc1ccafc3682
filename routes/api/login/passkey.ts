import { passkeyAnswerSchema } from "../../../lib/shared/schemas/passkeys.ts";
import { read } from "../../../lib/shared/schemas/read.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import {
  partyOf,
  requirePasskeys,
  requirePasskeysAlone,
} from "../../../lib/server/http/request/auth/factor_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { clientOf, tokenAnswer } from "../../../lib/server/http/response/session_answers.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { wholeBody } from "../../../lib/server/http/openapi/json_body.ts";
import { newToken } from "../../../lib/server/http/openapi/parts/accounts.ts";

/** Signing in by a passkey, in two steps. The question of the first is also that of a proof. */
export const handler = calls({
  POST: {
    id: "askPasskey",
    tag: "Sessions",
    summary: "Get a challenge for a passkey",
    description: "Returns the options for the browser " +
      "(`PublicKeyCredential.parseRequestOptionsFromJSON`, then `navigator.credentials.get`), " +
      "for the host name of the request. They name no user and no passkey. The signed answer " +
      "can be used once, within ten minutes: for `PUT /api/login/passkey`, or as `passkey` " +
      "wherever a call takes a `code` of a second factor.",
    who: "anyone",
    answers: { 200: json("The options for the browser.", schemaNamed("PasskeyQuestion")) },
    examples: `
$ curl -s $CUBBY/api/login/passkey -X POST | jq -r .userVerification
required
`,
    async handle(ctx) {
      const { config, passkeys } = ctx.state.cubby;
      requirePasskeys(config);
      return jsonAnswer(await passkeys.ask(partyOf(ctx)));
    },
  },
  PUT: {
    id: "loginByPasskey",
    tag: "Sessions",
    summary: "Open a session by a passkey alone",
    description: "The body is what the browser returned, in the form of its `toJSON()`. 403 " +
      "`wrong_credentials` for an answer that was used, that was signed for another site or " +
      "by an unknown passkey, that has no verified user, or whose counter went back; it " +
      "counts as a wrong password does. Where a directory, a program or a provider decides " +
      "who may sign in, the call is 403 `forbidden`: there passkeys are second factors only.",
    who: "anyone",
    body: wholeBody(schemaNamed("PasskeyAnswer")),
    answers: { 200: newToken },
    refusals: ["wrong_credentials", "throttled"],
    async handle(ctx, body) {
      const { config, passkeys } = ctx.state.cubby;
      requirePasskeysAlone(config);
      const answer = read(passkeyAnswerSchema, body);
      const { token } = await passkeys.signIn(partyOf(ctx), answer, clientOf(ctx));
      return tokenAnswer(ctx, token);
    },
  },
});
