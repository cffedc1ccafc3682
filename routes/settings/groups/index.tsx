import { page } from "fresh";
import { SettingsPage } from "../../(_pages)/SettingsPage.tsx";
import { define } from "../../../lib/server/define.ts";
import { guard, settingsContent } from "../../../lib/server/pages/settings_page.ts";
import { toGroupInfo } from "../../../lib/server/users/groups/group.ts";

/** The groups, for administrators. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "admin");
    if (admitted instanceof Response) return admitted;
    const { users } = ctx.state.cubby;
    const all = await users.list();
    const groups = (await users.groups.list()).map((group) => toGroupInfo(group, all));
    const content = await settingsContent(ctx, { tab: "groups", groups });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The table of groups. */
export default define.page<typeof handler>(function GroupsPage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("settings.tabs.groups")} />;
});
