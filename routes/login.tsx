import { page } from "fresh";
import { StagePage } from "../lib/client/base/ui/PageRoot.tsx";
import { Entering, LoginForm } from "../islands/LoginForm.tsx";
import { type LoginRefusal, loginRefusals, type Page } from "../lib/shared/page_data.ts";
import { define } from "../lib/server/http/define.ts";
import { signInAlone } from "../lib/server/http/request/auth/factor_requests.ts";
import { widgetSources } from "../lib/server/http/request/auth/captcha.ts";
import { afterSignIn, redirect } from "../lib/server/http/pages/redirects.ts";
import { openPage } from "../lib/server/http/pages/open_page.ts";

/** Signing in; a signed-in user is redirected at once. */
export const handler = define.handlers({
  async GET(ctx) {
    const next = afterSignIn(ctx);
    // The browser has dropped its token, whatever the cookie says: see loginHref().
    const expired = ctx.url.searchParams.has("expired");
    const entered = ctx.state.signedIn !== undefined && ctx.url.searchParams.has("entered");
    if (ctx.state.enrolling && !expired) {
      const back = new URLSearchParams({ redirect: next });
      return redirect(`${ctx.config.basePath}/second-factor?${back}`);
    }
    if (ctx.state.signedIn && !expired && !entered) return redirect(next);
    const { recaptcha } = ctx.state.cubby.config;
    if (recaptcha) ctx.state.others = widgetSources(recaptcha);
    const signup = ctx.url.searchParams.has("signup");
    const reason = ctx.url.searchParams.get("refused");
    const refused = loginRefusals.find((refusal) => refusal === reason);
    const { config, passkeys: known } = ctx.state.cubby;
    const passkeys = signInAlone(config) && await known.areInUse();
    const props = { next, passkeys, signup, entered, refused };
    const opened: LoginPageData = { page: await openPage(ctx), ...props };
    return page(opened, { headers: { "cache-control": "no-store" } });
  },
});

interface LoginPageData {
  page: Page;
  /** The page to open after signing in. */
  next: string;
  /** Passkeys sign in here, and a user has set one up. */
  passkeys: boolean;
  /** The form opens on signing up. */
  signup: boolean;
  /** The visitor has just signed in elsewhere. */
  entered: boolean;
  /** Why the visitor could not sign in elsewhere. */
  refused: LoginRefusal | undefined;
}

/** The sign-in form, under the name of the site. */
export default define.page<typeof handler>(function LoginPage({ data }) {
  const { page, next, passkeys, signup, entered, refused } = data;
  const { t } = page.i18n;
  return (
    <StagePage page={page} title={t("login.title")} islands foot="Cubby">
      {entered
        ? <Entering next={next} />
        : <LoginForm next={next} passkeys={passkeys} signup={signup} refused={refused} />}
      <noscript>
        <p className="field__hint">
          {entered ? <a href={next}>{t("buttons.goOn")}</a> : t("login.noScript")}
        </p>
      </noscript>
    </StagePage>
  );
});
