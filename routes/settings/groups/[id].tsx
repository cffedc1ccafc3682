import { HttpError, page } from "fresh";
import { SettingsPage } from "../../(_pages)/SettingsPage.tsx";
import { define } from "../../../lib/server/http/define.ts";
import { guard, placedAs, settingsContent } from "../../../lib/server/http/pages/open_page.ts";
import { listPage } from "../../../lib/server/http/request/lists/list.ts";
import { userNames } from "../../../lib/server/http/request/lists/account_lists.ts";
import {
  type Group,
  toGroupInfo,
} from "../../../lib/server/features/accounts/users/groups/group.ts";
import type { Users } from "../../../lib/server/features/accounts/users/users.ts";
import { FIRST_ITEMS } from "../../../lib/shared/list_page.ts";

/** One group, or the form for a new one, for administrators. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "admin");
    if (admitted instanceof Response) return admitted;
    const { id = "" } = ctx.params;
    const { users } = ctx.state.cubby;
    const group = id === "new" ? null : await groupOf(users, id);
    const limit = FIRST_ITEMS;
    const unsearched = { url: new URL(ctx.url.pathname, ctx.url) };
    const named = await listPage(unsearched, userNames(users), { limit });
    // Of many users those in the group are listed page by page.
    const of = { limit, name: "members-" };
    const from = named.next === null ? unsearched : ctx;
    const members = await listPage(from, userNames(users, group?.id ?? 0), of);
    const ids = named.next === null ? members.items.map((member) => member.id) : [];
    const content = await settingsContent(ctx, {
      tab: "group",
      group: group ? toGroupInfo(group, ids) : null,
      users: named,
      members,
      rules: admitted.settings.rules,
      own: placedAs(admitted),
    });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** @throws HttpError 404 for a group that is not there */
async function groupOf({ groups }: Users, id: string): Promise<Group> {
  const [group] = /^[1-9]\d{0,14}$/.test(id) ? await groups.of([Number(id)]) : [];
  if (group) return group;
  throw new HttpError(404);
}

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
