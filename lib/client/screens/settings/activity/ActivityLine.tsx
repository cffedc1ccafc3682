import { useTranslation } from "react-i18next";
import type { AuditRecord } from "../../../../shared/schemas/audit.ts";
import { formatExact, formatRelative } from "../../../base/core/format.ts";

interface ActivityLineProps {
  record: AuditRecord;
  /** In milliseconds since 1970. */
  now: number;
  timeZone: string;
}

/** One line of the activity log. */
export function ActivityLine({ record, now, timeZone }: ActivityLineProps) {
  const { t, i18n: { language } } = useTranslation();
  const { action, user, address, path, to, subject, time } = record;
  const who = user ?? t(address === null ? "activity.server" : "activity.visitor");
  const facts = [path, to === null ? null : t("activity.to", { path: to }), subject]
    .filter((fact) => fact !== null);
  return (
    <tr>
      <td className="table__main">
        {t(`activity.did.${action}`)}
        {facts.length > 0 && <span className="table__uses" dir="auto">{facts.join(" · ")}</span>}
      </td>
      <td data-label={t("activity.who")}>
        <bdi>{who}</bdi>
      </td>
      <td className="table__size" data-label={t("activity.when")}>
        <time dateTime={time} title={formatExact(time, language, timeZone)}>
          {formatRelative(time, language, now)}
        </time>
      </td>
      <td data-label={address === null ? undefined : t("activity.address")}>
        <bdi>{address}</bdi>
      </td>
    </tr>
  );
}
