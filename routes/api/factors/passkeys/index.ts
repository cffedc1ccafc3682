import { addedPasskeySchema } from "../../../../lib/shared/schemas/passkeys.ts";
import { read } from "../../../../lib/shared/schemas/read.ts";
import { calls } from "../../../../lib/server/http/calls.ts";
import {
  factorOwner,
  partyOf,
  recordFactors,
  requireFactors,
} from "../../../../lib/server/http/request/auth/factor_requests.ts";
import { jsonAnswer } from "../../../../lib/server/http/response/answers.ts";
import {
  clientOf,
  recoveryCodesAnswer,
} from "../../../../lib/server/http/response/session_answers.ts";
import { headerNamed, json, schemaNamed } from "../../../../lib/server/http/openapi/answers.ts";
import { jsonBody } from "../../../../lib/server/http/openapi/json_body.ts";
import { badProof, ownProofs } from "../../../../lib/server/http/openapi/parts/accounts.ts";

/** Setting up a passkey of the user's own, in two steps. */
export const handler = calls({
  POST: {
    id: "beginPasskey",
    tag: "Sessions",
    summary: "Start the setup of a passkey",
    description: "Returns the options for the browser: pass them to " +
      "`PublicKeyCredential.parseCreationOptionsFromJSON`, then to " +
      "`navigator.credentials.create`. They are bound to your session and to the host name of " +
      "the request, and can be used once, within ten minutes. A user who has a second factor " +
      "already sends a `code` or a `passkey` as well. Browsers create no passkeys at an IP " +
      "address such as 192.0.2.1: there the call is 400 `invalid_option`.",
    who: "enrolling",
    body: jsonBody(ownProofs, ["current_password"]),
    answers: { 200: json("The options for the browser.", schemaNamed("PasskeyCreation")) },
    refusals: [...badProof, "invalid_option"],
    examples: `
$ curl -s $CUBBY/api/factors/passkeys -H "X-Auth: $TOKEN" --json '{"current_password": "not mine"}'
{"code":"wrong_credentials","message":"Cannot continue: your current password is wrong"}
`,
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
    summary: "Finish the setup of a passkey",
    description:
      "From then on the passkey signs in alone, and a sign-in by password asks for a second " +
      "factor. All sessions end; the answer has the token of a new one, and ten recovery " +
      "codes if this is your first factor. They are not shown again.\n\n" +
      "The passkey must be discoverable and must have verified its user (by a PIN, a finger " +
      "or a face); no attestation is requested. A passkey that does not meet this is 400 " +
      "`invalid_option`. Options that are older than ten minutes, or of another session, are " +
      "404. A user has at most ten passkeys.",
    who: "enrolling",
    body: jsonBody({
      name: { type: "string", description: "To recognize it: up to 60 characters." },
      credential: schemaNamed("NewPasskey"),
    }, ["name", "credential"]),
    answers: {
      200: json("Set up.", schemaNamed("RecoveryCodes"), {
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
      recordFactors(ctx, "factor_add", signedIn, name);
      const { token } = await sessions.open(changed.user, clientOf(ctx));
      return recoveryCodesAnswer(ctx, changed.recoveryCodes ?? [], token);
    },
  },
});
