import { calls } from "../../../../../lib/server/http/calls.ts";
import { captchaCheck } from "../../../../../lib/server/http/request/auth/captcha.ts";
import { openRequest } from "../../../../../lib/server/http/request/file_requests.ts";
import { textField } from "../../../../../lib/server/http/request/json_body.ts";
import { jsonAnswer } from "../../../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../../../lib/server/http/openapi/answers.ts";
import { captchaProof, jsonBody } from "../../../../../lib/server/http/openapi/json_body.ts";
import { requestParameter } from "../../../../../lib/server/http/openapi/parts/links.ts";

/** Lets a visitor in who has the link of a request for files, and the password. */
export const handler = calls({
  POST: {
    id: "openRequest",
    tag: "Shares",
    summary: "Exchange a request's link and password for a token",
    description:
      "Send the `token` of the answer in `X-Request-Token` of uploads; it is valid for 24 " +
      "hours. `recaptcha` is needed where the server requires a captcha. 403 if the owner is " +
      "gone or may no longer request files.",
    who: "anyone",
    parameters: [requestParameter],
    body: jsonBody({
      password: { type: "string", description: "Where the request has one." },
      recaptcha: captchaProof,
    }, []),
    answers: { 200: json("The request, and a token.", schemaNamed("OpenRequest")) },
    refusals: [
      "password_required",
      "wrong_credentials",
      "not_found",
      "throttled",
    ],
    examples: `
$ REQUEST=$(curl -s $CUBBY/api/request/photos -H "X-Auth: $TOKEN" --json '{"title": "Photos of the trip", "maxFiles": 3}' | jq -r .hash)
$ PASS=$(curl -s $CUBBY/api/public/request/$REQUEST --json '{}' | jq -r .token)
`,
    async handle(ctx, body) {
      const password = (body.password ?? "") === "" ? "" : textField(body, "password");
      const credentials = { password, captcha: captchaCheck(ctx, body) };
      return jsonAnswer(await openRequest(ctx, ctx.params.hash ?? "", credentials));
    },
  },
});
