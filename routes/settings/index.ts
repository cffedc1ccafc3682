import { define } from "../../lib/define.ts";
import { guard } from "../../lib/pages/settings_page.ts";
import { redirect } from "../../lib/pages/redirects.ts";

/** The settings begin with one's own. */
export const handler = define.handlers({
  GET(ctx) {
    const admitted = guard(ctx);
    if (admitted instanceof Response) return admitted;
    return redirect(`${ctx.config.basePath}/settings/profile`);
  },
});
