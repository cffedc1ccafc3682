import { Check, MailPlus, Pencil, UserPlus, X } from "lucide";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UserInfo } from "../../../../shared/schemas/user.ts";
import type { ListPage } from "../../../../shared/list_page.ts";
import type { Clock } from "../../../../shared/clock.ts";
import type { InviteInfo } from "../../../../shared/schemas/invite.ts";
import { Invites } from "./Invites.tsx";
import { PagedTable } from "../../../base/ui/lists/PagedTable.tsx";
import { useList } from "../../../base/ui/lists/use_list.ts";
import { usePage } from "../../../base/core/page.ts";
import { quotaWords } from "../../../base/api/reasons.ts";
import { isLimited } from "../../../../shared/schemas/quota.ts";
import { useQuotas } from "./QuotaUse.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import { Button, IconLink } from "../../../../../components/Button.tsx";
import { formatList } from "../../../base/core/format.ts";

interface UsersTabProps {
  users: ListPage<UserInfo>;
  /** Null where nobody signs in by a password. */
  invites: ListPage<InviteInfo> | null;
  clock: Clock;
}

/** All users, with links to their forms. */
export function UsersTab({ users: first, invites, clock }: UsersTabProps) {
  const { t, i18n: { language } } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const shown = useList(first, "GET /api/users");
  const users = shown.items;
  const hasOwnQuotas = users.some(({ quota }) => isLimited(quota));
  // A group may have one for its members.
  const quotas = useQuotas(hasOwnQuotas || users.some(({ groups }) => groups.length > 0));
  const hasQuotas = hasOwnQuotas || quotas.size > 0;
  const columns = [t("login.username"), t("settings.users.admin"), t("settings.scope")];
  if (hasQuotas) columns.push(t("quota.used"));
  const [isInviting, setInviting] = useState(false);
  const placesOf = (roots: UserInfo["roots"], scope: string) =>
    roots.length > 0 ? formatList(roots.map(({ name }) => name), language) : scope;
  const address = (of: number | "new") => `${BaseURL}/settings/users/${of}`;
  const quotaOf = (id: number) => {
    const usage = quotas.get(id);
    return usage && quotaWords(t, usage, language);
  };
  const table = (
    <PagedTable
      id="users"
      title={t("settings.users.title")}
      aside={
        <div className="card__acts">
          {invites && (
            <Button glyph={MailPlus} onClick={() => setInviting(true)}>
              {t("invites.invite")}
            </Button>
          )}
          <a className="button button--primary" href={address("new")}>
            <Icon glyph={UserPlus} />
            {t("settings.users.new")}
          </a>
        </div>
      }
      list={shown}
      columns={columns}
      row={({ id, username, perm, scope, roots }) => (
        <tr key={id}>
          <td className="table__main">
            <bdi title={username}>{username}</bdi>
          </td>
          <td
            className="table__yes"
            data-yes={perm.admin}
            data-label={t("settings.users.admin")}
          >
            <Icon glyph={perm.admin ? Check : X} />
            <span className="unseen">{t(perm.admin ? "settings.yes" : "settings.no")}</span>
          </td>
          <td className="table__path">
            <bdi title={placesOf(roots, scope)}>{placesOf(roots, scope)}</bdi>
          </td>
          {hasQuotas && (
            <td className="table__size" data-label={quotaOf(id) && t("quota.used")}>
              {quotaOf(id)}
            </td>
          )}
          <td className="table__acts">
            <IconLink
              href={address(id)}
              label={t("settings.users.edit", { name: username })}
              glyph={Pencil}
            />
          </td>
        </tr>
      )}
    />
  );
  if (!invites) return table;
  return (
    <Invites
      invites={invites}
      clock={clock}
      isOpen={isInviting}
      onClose={() => setInviting(false)}
    >
      {table}
    </Invites>
  );
}
