import { addedPasskeySchema } from "../../../../lib/shared/schemas/passkeys.ts";
import { read } from "../../../../lib/shared/schemas/read.ts";
import { calls } from "../../../../lib/server/http/calls.ts";
import {
  factorOwner,
  noteFactors,
  requireFactors,
} from "../../../../lib/server/http/request/auth/factor_requests.ts";
import { partyOf } from "../../../../lib/server/http/request/auth/passkey_requests.ts";
import { jsonAnswer } from "../../../../lib/server/http/response/answers.ts";
import {
  clientOf,
  recoveryCodesAnswer,
} from "../../../../lib/server/http/response/session_answers.ts";
import { json } from "../../../../lib/server/openapi/answers.ts";
import { headerNamed } from "../../../../lib/server/openapi/headers.ts";
import { jsonBody } from "../../../../lib/server/openapi/json_body.ts";
import { badProof, ownProofs } from "../../../../lib/server/openapi/parts/factors.ts";
import { schemaNamed } from "../../../../lib/server/openapi/references.ts";

/** Setting up a passkey of the user's own, in two steps. */
export const handler = calls({
  POST: {
    id: "beginPasskey",
    tag: "Sessions",
    summary: "Begin to set up a passkey",
    description: "Gives what a browser makes one by (`navigator.credentials.create`), for the " +
      "host name of the request. It is to be answered by the same session within ten minutes.",
    who: "enrolling",
    body: jsonBody(ownProofs, ["current_password"]),
    answers: { 200: json("For the browser.", schemaNamed("PasskeyCreation")) },
    refusals: [...badProof, "invalid_option"],
    async handle(ctx, body) {
      const signedIn = factorOwner(ctx);
      // Asked first, so that no device keeps a passkey that the server refuses afterwards.
      await requireFactors(ctx, body);
      const site = signedIn.settings.branding.name || "Cubby";
      const { passkeys } = ctx.state.cubby;
      return jsonAnswer(await passkeys.beginCreation(signedIn, partyOf(ctx), site));
    },
  },
  PUT: {
    id: "addPasskey",
    tag: "Sessions",
    summary: "Set up the passkey",
    description:
      "From then on it signs in alone, and signing in by the password takes a second factor. " +
      "All sessions end; the answer has a new token, and the recovery codes if this is the " +
      "first factor.",
    who: "enrolling",
    body: jsonBody({
      name: { type: "string", description: "To tell it from others: up to 60 characters." },
      credential: schemaNamed("NewPasskey"),
    }, ["name", "credential"]),
    answers: {
      200: json("It is set up.", schemaNamed("RecoveryCodes"), {
        "Set-Cookie": headerNamed("SetToken"),
      }),
    },
    refusals: ["invalid_option", "not_found", "exists"],
    async handle(ctx, body) {
      const signedIn = factorOwner(ctx);
      const { factors, passkeys, sessions } = ctx.state.cubby;
      const { name, credential } = read(addedPasskeySchema, body);
      const passkey = await passkeys.readCreated(signedIn, partyOf(ctx), credential, name);
      const changed = await factors.addPasskey(signedIn.user, passkey);
      noteFactors(ctx, "factor_add", signedIn, name);
      const { token } = await sessions.open(changed.user, clientOf(ctx));
      return recoveryCodesAnswer(ctx, changed.recoveryCodes ?? [], token);
    },
  },
});
