import type { State } from "../../../../../lib/server/define.ts";
import { methods } from "../../../../../lib/server/http/middleware/methods.ts";
import { captchaCheck } from "../../../../../lib/server/http/request/auth/captcha.ts";
import { openRequest } from "../../../../../lib/server/http/request/file_requests.ts";
import { readOptionalObject, textField } from "../../../../../lib/server/http/request/json_body.ts";
import { jsonAnswer } from "../../../../../lib/server/http/response/answers.ts";

/** Lets a visitor in who has the link of a request for files, and the password. */
export const handler = methods<State>({
  async POST(ctx) {
    const body = await readOptionalObject(ctx);
    const password = (body.password ?? "") === "" ? "" : textField(body, "password");
    const credentials = { password, captcha: captchaCheck(ctx, body) };
    return jsonAnswer(await openRequest(ctx, ctx.params.hash ?? "", credentials));
  },
});
