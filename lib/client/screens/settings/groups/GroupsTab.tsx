import { Pencil, Plus } from "lucide";
import { useTranslation } from "react-i18next";
import type { ListPage } from "../../../../shared/list_page.ts";
import type { GroupRow } from "../../../../shared/settings_data.ts";
import { Icon } from "../../../../../components/Icon.tsx";
import { IconLink } from "../../../../../components/Button.tsx";
import { Card } from "../../../../../components/Card.tsx";
import { PagedTable } from "../../../base/ui/lists/PagedTable.tsx";
import { useList } from "../../../base/ui/lists/use_list.ts";
import { usePage } from "../../../base/core/page.ts";
import { formatList } from "../../../base/core/format.ts";

/** All groups, with links to their forms. */
export function GroupsTab({ groups }: { groups: ListPage<GroupRow> }) {
  const { t, i18n: { language } } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const address = (of: number | "new") => `${BaseURL}/settings/groups/${of}`;
  const shown = useList<GroupRow>(groups, "GET /api/groups", { query: { counts: true } });
  const count = new Intl.NumberFormat(language);
  const head = {
    id: "groups",
    title: t("settings.groups.title"),
    aside: (
      <a className="button button--primary" href={address("new")}>
        <Icon glyph={Plus} />
        {t("settings.groups.new")}
      </a>
    ),
  };
  return (
    <PagedTable
      {...head}
      list={shown}
      empty={
        <Card {...head}>
          <p>{t("settings.groups.none")}</p>
        </Card>
      }
      columns={[
        t("settings.groups.name"),
        t("settings.groups.members"),
        t("settings.permissions.title"),
      ]}
      row={({ id, name, memberCount, perm }) => (
        <tr key={id}>
          <td className="table__main">
            <bdi>{name}</bdi>
          </td>
          <td data-label={t("settings.groups.members")}>{count.format(memberCount)}</td>
          <td data-label={t("settings.permissions.title")}>
            {formatList(
              permissionWords(perm).map((each) => t(`settings.permissions.${each}`)),
              language,
            )}
          </td>
          <td className="table__acts">
            <IconLink
              href={address(id)}
              label={t("settings.groups.edit", { name })}
              glyph={Pencil}
            />
          </td>
        </tr>
      )}
    />
  );
}

/** The permissions that a group gives; `admin` stands for all of them. */
function permissionWords(perm: GroupRow["perm"]): (keyof GroupRow["perm"])[] {
  if (perm.admin) return ["admin"];
  return (Object.keys(perm) as (keyof GroupRow["perm"])[]).filter((name) => perm[name]);
}
