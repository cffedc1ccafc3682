import type { State } from "../../lib/define.ts";
import { jsonAnswer } from "../../lib/http/answers.ts";
import { methods } from "../../lib/http/methods.ts";

/** Says that the server answers, for probes and proxies; needs no token. */
export const handler = methods<State>({
  GET() {
    return jsonAnswer({ status: "OK" }, { headers: { "cache-control": "no-store" } });
  },
});
