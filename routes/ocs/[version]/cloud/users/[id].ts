import { accountNamed } from "../../../../../lib/server/http/ocs/accounts.ts";
import { ocsCalls } from "../../../../../lib/server/http/ocs/ocs_calls.ts";

/** The account of a user: one's own, or the name of another. */
export const handler = ocsCalls({
  GET: { handle: (ctx) => accountNamed(ctx, ctx.params.id ?? "") },
});
