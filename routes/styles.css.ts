import { define } from "../lib/server/define.ts";
import { styleSheet } from "../lib/server/pages/style_sheet.ts";

/** The one style sheet. Its address contains the build (`asset()`): cacheable for a year. */
export const handler = define.handlers({
  async GET({ config, url }) {
    const developing = config.mode === "development";
    const kept = url.search !== "" && !developing;
    const sheet = await styleSheet(developing);
    return new Response(sheet, {
      headers: {
        "content-length": String(sheet.length),
        "content-type": "text/css; charset=utf-8",
        "cache-control": kept ? "public, max-age=31536000, immutable" : "no-cache",
      },
    });
  },
});
