import { DomainError } from "../../lib/shared/errors.ts";
import { makeNewHome } from "../../lib/server/files/make_folder.ts";
import { calls } from "../../lib/server/http/calls.ts";
import { recordActivity } from "../../lib/server/http/request/activities.ts";
import { captchaCheck } from "../../lib/server/http/request/auth/captcha.ts";
import { requirePasswords } from "../../lib/server/http/request/auth/require_passwords.ts";
import { textField } from "../../lib/server/http/request/json_body.ts";
import { clientOf, tokenAnswer } from "../../lib/server/http/response/session_answers.ts";
import { captchaProof, jsonBody } from "../../lib/server/http/openapi/json_body.ts";
import { newToken } from "../../lib/server/http/openapi/parts/accounts.ts";
import { signUp } from "../../lib/server/features/accounts/users/sign_up.ts";

/** Most attempts to sign up from one address within 15 minutes: a class has one. */
const maxSignUps = 60;

/** Signs visitors up, where the settings allow it, and signs them in. */
export const handler = calls({
  POST: {
    id: "signUp",
    tag: "Users",
    summary: "Sign up",
    description:
      "Available where the settings let visitors create users. The new user has the default " +
      "rights, but is no administrator and runs no commands, and is signed in: the answer is " +
      "that of `POST /api/login`. More than sixty attempts from one address within 15 minutes " +
      "are 429. Where the server requires a captcha, send the widget's result as `recaptcha`.",
    who: "anyone",
    body: jsonBody(
      {
        username: { type: "string" },
        password: {
          type: "string",
          description: "12 characters to 72 bytes, not a well-known one.",
        },
        recaptcha: captchaProof,
      },
      ["username", "password"],
      { lenientAt: [""] },
    ),
    answers: { 200: newToken },
    refusals: [
      ...["invalid_name", "invalid_password", "exists"] as const,
      ...["wrong_credentials", "throttled"] as const,
    ],
    examples: `
$ curl $CUBBY/api/signup --json '{"username": "vera", "password": "four herons at dawn"}'
{"code":"forbidden","message":"Cannot sign up: an administrator has to add you"}
`,
    async handle(ctx, body) {
      const { attempts, config, gate, sessions, settings, users } = ctx.state.cubby;
      if (config.authMethod !== "json") {
        throw new DomainError("forbidden", "Cannot sign up: the server does not keep passwords");
      }
      requirePasswords(config, "sign up");
      const newcomer = {
        username: textField(body, "username"),
        password: textField(body, "password"),
      };
      const proof = captchaCheck(ctx, body);
      const current = await settings.get();
      if (current.signup && proof) {
        await sessions.verifyProof(newcomer.username, ctx.state.address, proof);
      }
      if (current.signup) await attempts.countUse("signup", ctx.state.address, maxSignUps);
      const user = await signUp(users, current, newcomer, (home) => makeNewHome(gate, home));
      const { id, username: name } = user;
      recordActivity(ctx, "user_add", { user: { id, name }, subject: name, settings: current });
      return tokenAnswer(ctx, (await sessions.open(user, clientOf(ctx))).token);
    },
  },
});
