import type { Context } from "fresh";
import type { State } from "../../../lib/server/http/define.ts";
import { ocsVersions, unknownCallAnswer } from "../../../lib/server/http/ocs/ocs_answer.ts";

/** Other versions than `v1.php` and `v2.php` have no calls. */
export default async function requireVersion(ctx: Context<State>): Promise<Response> {
  const isKnown = ocsVersions.includes(ctx.params.version ?? "");
  return isKnown ? await ctx.next() : unknownCallAnswer(ctx);
}
