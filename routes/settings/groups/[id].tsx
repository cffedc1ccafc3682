import { HttpError, page } from "fresh";
import { SettingsPage } from "../../(_pages)/SettingsPage.tsx";
import { define } from "../../../lib/server/define.ts";
import { guard, placedAs, settingsContent } from "../../../lib/server/pages/settings_page.ts";
import { toGroupInfo } from "../../../lib/server/users/groups/group.ts";

/** One group, or the form for a new one, for administrators. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "admin");
    if (admitted instanceof Response) return admitted;
    const { id } = ctx.params;
    const { users } = ctx.state.cubby;
    const all = await users.list();
    const groups = id === "new" ? [] : await users.groups.list();
    const group = groups.find((each) => String(each.id) === id);
    if (!group && id !== "new") throw new HttpError(404);
    const content = await settingsContent(ctx, {
      tab: "group",
      group: group ? toGroupInfo(group, all) : null,
      users: all.map(({ id, username }) => ({ id, username })),
      rules: admitted.settings.rules,
      own: placedAs(admitted),
    });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The form for a group. */
export default define.page<typeof handler>(function GroupPage({ data }) {
  const { page, shown } = data;
  const { t } = page.i18n;
  const name = shown.tab === "group" ? shown.group?.name : undefined;
  const title = name === undefined
    ? t("settings.groups.newTitle")
    : t("settings.groups.titled", { name });
  return <SettingsPage {...data} title={title} />;
});
