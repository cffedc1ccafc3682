import type { State } from "../../lib/server/define.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { signOut } from "../../lib/server/http/response/session_answers.ts";
import { ownSessionOf } from "../../lib/server/http/middleware/sign_in.ts";

/** Ends the session of the token. */
export const handler = methods<State>({
  async POST(ctx) {
    return await signOut(ctx, ownSessionOf(ctx));
  },
});
