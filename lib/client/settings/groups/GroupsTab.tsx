import { Pencil, Plus } from "lucide";
import type { GroupInfo } from "../../../shared/schemas/group.ts";
import { Icon } from "../../../../components/Icon.tsx";
import { IconLink } from "../../../../components/IconLink.tsx";
import { Card, TableCard } from "../../../../components/Card.tsx";
import { usePage } from "../../core/page.ts";
import { useTranslation } from "../../core/use_translation.ts";

/** All groups, with links to their forms. */
export function GroupsTab({ groups }: { groups: readonly GroupInfo[] }) {
  const { t, language } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const address = (of: number | "new") => `${BaseURL}/settings/groups/${of}`;
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
  if (groups.length === 0) {
    return (
      <Card {...head}>
        <p>{t("settings.groups.none")}</p>
      </Card>
    );
  }
  return (
    <TableCard
      {...head}
      columns={[
        t("settings.groups.name"),
        t("settings.groups.members"),
        t("settings.permissions.title"),
      ]}
    >
      {groups.map(({ id, name, members, perm }) => (
        <tr key={id}>
          <td className="table__main">
            <bdi>{name}</bdi>
          </td>
          <td data-label={t("settings.groups.members")}>{count.format(members.length)}</td>
          <td data-label={t("settings.permissions.title")}>
            {permissionWords(perm).map((each) => t(`settings.permissions.${each}`)).join(", ")}
          </td>
          <td className="table__acts">
            <IconLink
              href={address(id)}
              label={t("settings.groups.edit", { name })}
              glyph={Pencil}
            />
          </td>
        </tr>
      ))}
    </TableCard>
  );
}

/** The permissions that a group gives; `admin` stands for all of them. */
function permissionWords(perm: GroupInfo["perm"]): (keyof GroupInfo["perm"])[] {
  if (perm.admin) return ["admin"];
  return (Object.keys(perm) as (keyof GroupInfo["perm"])[]).filter((name) => perm[name]);
}
