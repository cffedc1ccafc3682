import { percentDecoded } from "../../../../../lib/shared/path.ts";
import { accountNamed } from "../../../../../lib/server/http/ocs/accounts.ts";
import { ocsCalls } from "../../../../../lib/server/http/ocs/ocs_calls.ts";

/** The account of a user: one's own, or the name of another. */
export const handler = ocsCalls({
  GET: {
    handle(ctx) {
      // The parameter keeps escapes such as that of "@", which names have that are mail addresses.
      const name = ctx.url.pathname.split("/").at(-1) ?? "";
      return accountNamed(ctx, percentDecoded(name) ?? "");
    },
  },
});
