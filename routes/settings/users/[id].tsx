import { HttpError, page } from "fresh";
import { SettingsPage } from "../../(_pages)/SettingsPage.tsx";
import { define } from "../../../lib/server/http/define.ts";
import {
  noFactors,
  toFactors,
} from "../../../lib/server/features/accounts/auth/factors/factors_record.ts";
import { guard, placedAs, settingsContent } from "../../../lib/server/http/pages/open_page.ts";
import { toApiTokenInfo } from "../../../lib/server/features/accounts/auth/api_token.ts";
import { groupRows } from "../../../lib/server/http/request/user_requests.ts";
import { listPage } from "../../../lib/server/http/request/lists/list.ts";
import { FIRST_ITEMS } from "../../../lib/shared/list_page.ts";
import { blankUser, toUserInfo } from "../../../lib/server/features/accounts/users/user.ts";

/** One user, or the form for a new one, for administrators. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "admin");
    if (admitted instanceof Response) return admitted;
    const { defaults, createUserDir, rules } = admitted.settings;
    const { id = "" } = ctx.params;
    const { users } = ctx.state.cubby;
    const [user] = /^[1-9]\d{0,14}$/.test(id) ? await users.some([Number(id)]) : [];
    if (!user && id !== "new") throw new HttpError(404);
    const acting = user && await users.acting(user.id);
    // A search in the address is one in another list.
    const unsearched = { url: new URL(ctx.url.pathname, ctx.url) };
    const first = await listPage(unsearched, groupRows(users), { limit: FIRST_ITEMS });
    const own = (await users.groups.of(user?.groups ?? [])).map((group) => ({
      ...group,
      memberCount: 0,
    }));
    const groups = [
      ...first.items,
      ...own.filter((group) => first.items.every((each) => each.id !== group.id)),
    ];
    const tokens = user ? await ctx.state.cubby.apiTokens.list(user.id) : [];
    const record = user ? await ctx.state.cubby.factors.of(user) : noFactors;
    const content = await settingsContent(ctx, {
      tab: "user",
      tokens: acting ? tokens.map((token) => toApiTokenInfo(token, acting)) : [],
      user: user ? toUserInfo(user) : null,
      groups,
      hasMoreGroups: first.next !== null,
      defaults: { fields: { ...blankUser(), ...defaults }, createUserDir, rules },
      factors: toFactors(record),
      own: placedAs(admitted),
    });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The form for a user. */
export default define.page<typeof handler>(function UserPage({ data }) {
  const { page, shown } = data;
  const { t } = page.i18n;
  const name = shown.tab === "user" ? shown.user?.username : undefined;
  const title = name === undefined
    ? t("settings.users.newTitle")
    : t("settings.users.titled", { name });
  return <SettingsPage {...data} title={title} />;
});
