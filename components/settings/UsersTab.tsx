import { Check, Pencil, UserPlus, X } from "lucide";
import type { UserInfo } from "../../lib/api_types.ts";
import { usePage } from "../../lib/client/page.ts";
import { useTranslation } from "../../lib/i18n/use_translation.ts";
import { Icon } from "../Icon.tsx";

/** All users, and the way to each of them. */
export function UsersTab({ users }: { users: UserInfo[] }) {
  const { t } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const address = (of: number | "new") => `${BaseURL}/settings/users/${of}`;
  return (
    <section className="card" aria-labelledby="users-title">
      <div className="card__head card__head--acts">
        <h2 className="card__title" id="users-title">{t("settings.users.title")}</h2>
        <a className="button button--primary" href={address("new")}>
          <Icon glyph={UserPlus} />
          {t("settings.users.new")}
        </a>
      </div>
      <table className="table table--users">
        <thead>
          <tr>
            <th scope="col">{t("login.username")}</th>
            <th scope="col">{t("settings.users.admin")}</th>
            <th scope="col">{t("settings.scope")}</th>
            <th scope="col">
              <span className="unseen">{t("settings.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {users.map(({ id, username, perm, scope }) => (
            <tr key={id}>
              <td className="table__main">
                <bdi>{username}</bdi>
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
                <bdi>{scope}</bdi>
              </td>
              <td className="table__acts">
                <a
                  className="button button--quiet button--icon"
                  href={address(id)}
                  aria-label={t("settings.users.edit", { name: username })}
                  title={t("settings.users.edit", { name: username })}
                >
                  <Icon glyph={Pencil} />
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
