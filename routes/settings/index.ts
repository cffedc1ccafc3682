import { define } from "../../lib/server/http/define.ts";
import { guard } from "../../lib/server/http/pages/open_page.ts";
import { redirect } from "../../lib/server/http/pages/redirects.ts";

/** Redirects to the user's own settings. */
export const handler = define.handlers({
  GET(ctx) {
    const admitted = guard(ctx);
    if (admitted instanceof Response) return admitted;
    return redirect(`${ctx.config.basePath}/settings/profile`);
  },
});
