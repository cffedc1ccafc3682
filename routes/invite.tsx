import { page } from "fresh";
import { StagePage } from "../lib/client/base/ui/PageRoot.tsx";
import { Invited } from "../islands/LoginForm.tsx";
import { define } from "../lib/server/http/define.ts";
import { openPage } from "../lib/server/http/pages/open_page.ts";

/** Where a link leads that an administrator has handed out. Its secret stays in the browser. */
export const handler = define.handlers({
  async GET(ctx) {
    const headers = { "cache-control": "no-store" };
    return page({ page: await openPage(ctx) }, { headers });
  },
});

/** The form of an invitation, or of a new password. */
export default define.page<typeof handler>(function InvitePage({ data: { page } }) {
  const { t } = page.i18n;
  return (
    <StagePage page={page} title={t("invites.invite")} islands foot="Cubby">
      <Invited />
      <noscript>
        <p className="field__hint">{t("login.noScript")}</p>
      </noscript>
    </StagePage>
  );
});
