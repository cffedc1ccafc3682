import { page } from "fresh";
import { SettingsPage } from "./(_pages)/SettingsPage.tsx";
import { define } from "../lib/server/http/define.ts";
import { afterSignIn, redirect, toSignIn } from "../lib/server/http/pages/redirects.ts";
import { settingsContent } from "../lib/server/http/pages/open_page.ts";

/** Setting up a second factor, for users who must have one before anything else. */
export const handler = define.handlers({
  async GET(ctx) {
    const { enrolling, signedIn } = ctx.state;
    const next = afterSignIn(ctx);
    if (signedIn) return redirect(next);
    if (!enrolling) return toSignIn(ctx);
    // For the page's language and name alone: nothing runs after this that the session could use.
    ctx.state.signedIn = enrolling;
    const content = await settingsContent(ctx, { tab: "enrol", next });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The authenticator app of a user who must have one. */
export default define.page<typeof handler>(function SecondFactorPage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("factors.requiredTitle")} />;
});
