import { passkeyAnswerSchema } from "../../../lib/shared/schemas/passkeys.ts";
import { read } from "../../../lib/shared/schemas/read.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import {
  partyOf,
  requirePasskeys,
  requirePasskeysAlone,
} from "../../../lib/server/http/request/auth/passkey_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { clientOf, tokenAnswer } from "../../../lib/server/http/response/session_answers.ts";
import { json } from "../../../lib/server/openapi/answers.ts";
import { wholeBody } from "../../../lib/server/openapi/json_body.ts";
import { newToken } from "../../../lib/server/openapi/parts/sessions.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";

/** Signing in by a passkey, in two steps. The question of the first is also that of a proof. */
export const handler = calls({
  POST: {
    id: "askPasskey",
    tag: "Sessions",
    summary: "Ask for a passkey",
    description: "Gives what a browser has a passkey sign (`navigator.credentials.get`), for " +
      "the host name of the request. It is answered once, within ten minutes: by the call " +
      "below, or as `passkey` where a code would be sent.",
    who: "anyone",
    answers: { 200: json("For the browser.", schemaNamed("PasskeyQuestion")) },
    async handle(ctx) {
      const { config, passkeys } = ctx.state.cubby;
      requirePasskeys(config);
      return jsonAnswer(await passkeys.ask(partyOf(ctx)));
    },
  },
  PUT: {
    id: "loginByPasskey",
    tag: "Sessions",
    summary: "Begin a session by a passkey alone",
    description:
      "Wrong answers count like wrong passwords. Refused where a directory, a program or a " +
      "provider decides who may sign in.",
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
