import { HttpError, page } from "fresh";
import { ConnectingApp } from "../../../../../islands/LoginForm.tsx";
import { StagePage } from "../../../../../lib/client/base/ui/PageRoot.tsx";
import { define } from "../../../../../lib/server/http/define.ts";
import { appAsking } from "../../../../../lib/server/http/ocs/login_flow.ts";
import { openPage } from "../../../../../lib/server/http/pages/open_page.ts";
import { toSignIn } from "../../../../../lib/server/http/pages/redirects.ts";

/** Where a sync app leads its user, who consents here; one who has not signed in does so first. */
export const handler = define.handlers({
  async GET(ctx) {
    if (!ctx.state.cubby.config.syncClients) throw new HttpError(404);
    if (!ctx.state.signedIn) return toSignIn(ctx);
    const app = await appAsking(ctx, ctx.params.flow ?? "");
    const init = { status: app ? 200 : 404, headers: { "cache-control": "no-store" } };
    return page({ page: await openPage(ctx), app }, init);
  },
});

/** The question whether an app may use the files. */
export default define.page<typeof handler>(function ConnectAppPage({ data: { page, app } }) {
  const { t } = page.i18n;
  return (
    <StagePage page={page} title={t("apps.connect")} islands foot="Cubby">
      <ConnectingApp app={app} />
      <noscript>
        <p className="field__hint">{t("login.noScript")}</p>
      </noscript>
    </StagePage>
  );
});
