import { isBrandingName, readBranding } from "../../lib/server/http/pages/branding_files.ts";
import { define } from "../../lib/server/http/define.ts";
import { DomainError } from "../../lib/shared/errors.ts";

/** The site's own style sheet, logo and icon. */
export const handler = define.handlers({
  async GET(ctx) {
    const { name = "" } = ctx.params;
    const { branding } = await ctx.state.cubby.settings.get();
    const file = isBrandingName(name) ? readBranding(branding.files, name) : null;
    if (!file) {
      throw new DomainError("not_found", "Cannot find the file: the site has no such file");
    }
    return new Response(file.bytes, {
      headers: {
        "content-type": file.mediaType,
        "cache-control": ctx.url.searchParams.get("v") === file.version
          ? "public, max-age=31536000, immutable"
          : "no-cache",
        // An SVG that is opened as a document must not run scripts.
        "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      },
    });
  },
});
