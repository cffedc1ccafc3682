import { passkeyChangeSchema } from "../../../../lib/shared/schemas/passkeys.ts";
import { read } from "../../../../lib/shared/schemas/read.ts";
import { toPasskeyInfo } from "../../../../lib/server/features/accounts/auth/factors/factors_record.ts";
import { calls } from "../../../../lib/server/http/calls.ts";
import {
  factorOwner,
  recordFactors,
  requireFactors,
} from "../../../../lib/server/http/request/auth/factor_requests.ts";
import { jsonAnswer } from "../../../../lib/server/http/response/answers.ts";
import { clientOf, tokenAnswer } from "../../../../lib/server/http/response/session_answers.ts";
import { json, schemaNamed } from "../../../../lib/server/http/openapi/answers.ts";
import { jsonBody } from "../../../../lib/server/http/openapi/json_body.ts";
import {
  badProof,
  newToken,
  ownProofs,
} from "../../../../lib/server/http/openapi/parts/accounts.ts";
import type { Parameter } from "../../../../lib/server/http/openapi/types.ts";

/** The place of a passkey in the address. */
const passkeyParameter: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "The passkey, as `GET /api/factors` names it.",
  schema: { type: "string", pattern: "^[\\w-]+$" },
};

/** Renaming and removing a passkey of the user's own. */
export const handler = calls({
  PATCH: {
    id: "renamePasskey",
    tag: "Sessions",
    summary: "Rename a passkey",
    description: "Needs no proof, and sessions stay open.",
    who: "enrolling",
    parameters: [passkeyParameter],
    body: jsonBody({
      name: { type: "string", description: "To recognize it: up to 60 characters." },
    }, ["name"]),
    answers: { 200: json("The passkey.", schemaNamed("Passkey")) },
    refusals: ["not_found"],
    async handle(ctx, body) {
      const signedIn = factorOwner(ctx);
      const { name } = read(passkeyChangeSchema, body);
      const { factors } = ctx.state.cubby;
      const renamed = await factors.renamePasskey(signedIn.user.id, ctx.params.id ?? "", name);
      recordFactors(ctx, "factor_rename", signedIn, name);
      return jsonAnswer(toPasskeyInfo(renamed));
    },
  },
  DELETE: {
    id: "removePasskey",
    tag: "Sessions",
    summary: "Remove a passkey",
    description:
      "Needs your `current_password` and a `code` or a `passkey`. Removing the last factor " +
      "removes the recovery codes. All sessions end; the answer is a new token.",
    who: "enrolling",
    parameters: [passkeyParameter],
    body: jsonBody(ownProofs, ["current_password"]),
    answers: { 200: newToken },
    refusals: [...badProof, "not_found"],
    async handle(ctx, body) {
      const signedIn = factorOwner(ctx);
      const { factors, sessions } = ctx.state.cubby;
      await requireFactors(ctx, body);
      const { user, removed } = await factors.removePasskey(signedIn.user, ctx.params.id ?? "");
      recordFactors(ctx, "factor_remove", signedIn, removed.name);
      return tokenAnswer(ctx, (await sessions.open(user, clientOf(ctx))).token);
    },
  },
});
