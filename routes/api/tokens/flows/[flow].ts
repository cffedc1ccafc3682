import type { Context } from "fresh";
import * as v from "valibot";
import { DomainError } from "../../../../lib/shared/errors.ts";
import type { EntryPath } from "../../../../lib/shared/path.ts";
import { apiTokenDraftSchema } from "../../../../lib/shared/schemas/api_token.ts";
import { read } from "../../../../lib/shared/schemas/read.ts";
import { calls } from "../../../../lib/server/http/calls.ts";
import { sessionOf } from "../../../../lib/server/http/middleware/sign_in.ts";
import type { State } from "../../../../lib/server/http/define.ts";
import { loginFlowsOf } from "../../../../lib/server/http/ocs/login_flow.ts";
import type { Parameter } from "../../../../lib/server/http/openapi/types.ts";
import { requireRecentProof } from "../../../../lib/server/http/request/auth/require_passwords.ts";
import { boundOf } from "../../../../lib/server/http/request/auth/token_requests.ts";
import { textAnswer } from "../../../../lib/server/http/response/answers.ts";
import { schemaNamed, text } from "../../../../lib/server/http/openapi/answers.ts";
import { jsonBody, passwordProof } from "../../../../lib/server/http/openapi/json_body.ts";

const grantSchema = v.pick(apiTokenDraftSchema, ["write", "share", "folder"]);

const flowParameter: Parameter = {
  name: "flow",
  in: "path",
  required: true,
  description: "The last part of the link that the app has opened.",
  schema: { type: "string", pattern: "^[\\w-]{16}\\.[\\w-]{43}$" },
};

/** The answer of a user to a sync client that wants to be connected. */
export const handler = calls({
  POST: {
    id: "connectApp",
    tag: "Sessions",
    summary: "Connect a sync app",
    description:
      "Consents to what the page `/index.php/login/v2/flow/{flow}` asks, with `--sync-clients`. " +
      "The app then fetches an API token, which is listed under its name. Without `write` it " +
      "can only read, and without `share` it cannot share. A sign-in of the last ten minutes counts in place of the password.",
    parameters: [flowParameter],
    body: jsonBody({ ...grantSchema.entries, current_password: passwordProof }, []),
    answers: { 200: text("Connected, once the app asks.", schemaNamed("Empty")) },
    refusals: ["invalid_path", "not_found", "wrong_credentials", "throttled"],
    async handle(ctx, body) {
      const { user } = sessionOf(ctx);
      const { write, share, folder } = read(grantSchema, body);
      const flow = ctx.params.flow ?? "";
      await loginFlowsOf(ctx).waiting(flow);
      const place = boundIn(ctx, folder);
      await requireRecentProof(ctx, body);
      await loginFlowsOf(ctx).grant(flow, { userId: user.id, write, share, place });
      return textAnswer();
    },
  },
  DELETE: {
    id: "refuseApp",
    tag: "Sessions",
    summary: "Refuse a sync app",
    description: "The link that the app has opened works no more.",
    parameters: [flowParameter],
    answers: { 200: text("Refused.", schemaNamed("Empty")) },
    refusals: ["not_found"],
    async handle(ctx) {
      await loginFlowsOf(ctx).refuse(ctx.params.flow ?? "");
      return textAnswer();
    },
  },
});

/**
 * As {@linkcode boundOf}; a folder that is not there is another refusal than an app that does not
 * wait.
 *
 * @throws DomainError `invalid_path`, `forbidden`
 */
function boundIn(ctx: Context<State>, folder: string | null): EntryPath | null {
  try {
    return boundOf(ctx, folder);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "not_found") throw error;
    throw new DomainError("invalid_path", error.message);
  }
}
