import type { State } from "../../lib/server/define.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";

/** Liveness probe; needs no token. */
export const handler = methods<State>({
  GET() {
    return jsonAnswer({ status: "OK" }, { headers: { "cache-control": "no-store" } });
  },
});
