import { define } from "../lib/server/http/define.ts";
import { DomainError } from "../lib/shared/errors.ts";
import { openPage } from "../lib/server/http/pages/open_page.ts";
import { webManifest } from "../lib/server/http/pages/web_manifest.ts";

/** The manifest by which a browser installs the site as an app, in the user's language. */
export const handler = define.handlers({
  async GET(ctx) {
    const { data, i18n } = await openPage(ctx);
    if (!data.config.Installable) {
      throw new DomainError("not_found", "Cannot install the site: installing is switched off");
    }
    return new Response(JSON.stringify(webManifest(data.config, data.locale, i18n.t)), {
      headers: {
        "content-type": "application/manifest+json; charset=utf-8",
        "cache-control": "no-cache",
        "vary": "Accept-Language, Cookie",
      },
    });
  },
});
