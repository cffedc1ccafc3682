import { page } from "fresh";
import { PageRoot } from "../lib/client/ui/PageRoot.tsx";
import { LoginForm } from "../islands/LoginForm.tsx";
import type { Page } from "../lib/shared/page_data.ts";
import { define } from "../lib/server/define.ts";
import { widgetSources } from "../lib/server/http/request/captcha.ts";
import { afterSignIn, redirect } from "../lib/server/pages/redirects.ts";
import { openPage } from "../lib/server/pages/open_page.ts";

/** Signing in; a signed-in user is redirected at once. */
export const handler = define.handlers({
  async GET(ctx) {
    const next = afterSignIn(ctx);
    // The browser has dropped its token, whatever the cookie says: see loginHref().
    const expired = ctx.url.searchParams.has("expired");
    if (ctx.state.signedIn && !expired) return redirect(next);
    const { recaptcha } = ctx.state.cubby.config;
    if (recaptcha) ctx.state.others = widgetSources(recaptcha);
    const signup = ctx.url.searchParams.has("signup");
    const opened: LoginPageData = { page: await openPage(ctx), next, signup };
    return page(opened, { headers: { "cache-control": "no-store" } });
  },
});

interface LoginPageData {
  page: Page;
  /** The page to open after signing in. */
  next: string;
  /** The form opens on signing up. */
  signup: boolean;
}

/** The sign-in form, under the name of the site. */
export default define.page<typeof handler>(function LoginPage({ data }) {
  const { page, next, signup } = data;
  const { t } = page.i18n;
  const { Name } = page.data.config;
  return (
    <PageRoot page={page} title={`${t("login.title")} - ${Name}`} islands>
      <main className="stage">
        <div className="stage__card">
          <LoginForm next={next} signup={signup} />
          <noscript>
            <p className="field__hint">{t("login.noScript")}</p>
          </noscript>
        </div>
        <p className="stage__foot">Cubby</p>
      </main>
    </PageRoot>
  );
});
