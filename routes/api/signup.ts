import type { State } from "../../lib/define.ts";
import { DomainError } from "../../lib/errors.ts";
import { makeNewHome } from "../../lib/files/make_home.ts";
import { textAnswer } from "../../lib/http/answers.ts";
import { readJsonObject, textField } from "../../lib/http/json_body.ts";
import { methods } from "../../lib/http/methods.ts";
import { signUp } from "../../lib/users/sign_up.ts";

/** Makes visitors users, where the settings let them. */
export const handler = methods<State>({
  async POST(ctx) {
    const { config, gate, settings, users } = ctx.state.cubby;
    if (config.authMethod !== "json") {
      throw new DomainError("forbidden", "Cannot sign up: the server knows its users otherwise");
    }
    const body = await readJsonObject(ctx.req);
    const newcomer = {
      username: textField(body, "username"),
      password: textField(body, "password"),
    };
    await signUp(users, await settings.get(), newcomer, (home) => makeNewHome(gate, home));
    return textAnswer();
  },
});
