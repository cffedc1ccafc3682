import { calls } from "../../../lib/server/http/calls.ts";
import {
  factorOwner,
  recordFactors,
  requireFactors,
} from "../../../lib/server/http/request/auth/factor_requests.ts";
import { recoveryCodesAnswer } from "../../../lib/server/http/response/session_answers.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { jsonBody } from "../../../lib/server/http/openapi/json_body.ts";
import { badProof, ownProofs } from "../../../lib/server/http/openapi/parts/accounts.ts";

/** Makes the user's recovery codes anew. */
export const handler = calls({
  POST: {
    id: "renewRecoveryCodes",
    tag: "Sessions",
    summary: "Replace your recovery codes",
    description: "Returns ten new codes. The former ones stop working.",
    who: "enrolling",
    body: jsonBody(ownProofs, ["current_password"]),
    answers: { 200: json("The new ones.", schemaNamed("RecoveryCodes")) },
    refusals: [...badProof, "not_found"],
    async handle(ctx, body) {
      const signedIn = factorOwner(ctx);
      await requireFactors(ctx, body);
      const codes = await ctx.state.cubby.factors.renewRecovery(signedIn.user.id);
      recordFactors(ctx, "recovery_renew", signedIn);
      return recoveryCodesAnswer(ctx, codes);
    },
  },
});
