import { Download, History } from "lucide";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { Card, TableCard } from "../../../../../components/Card.tsx";
import { FormError } from "../../../../../components/Fields.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import { StatusScreen } from "../../../../../components/StatusScreen.tsx";
import type { Clock } from "../../../../shared/clock.ts";
import type { SettingsData } from "../../../../shared/settings_data.ts";
import { formatExact } from "../../../base/core/format.ts";
import { usePage } from "../../../base/core/page.ts";
import { useClock } from "../../../base/core/use_clock.ts";
import { useAccount } from "../account_api.ts";
import { ActivityFilterForm } from "./ActivityFilterForm.tsx";
import { ActivityLine } from "./ActivityLine.tsx";
import { useActivities } from "./use_activities.ts";

type ActivityTabProps = Omit<Extract<SettingsData, { tab: "activity" }>, "tab"> & { clock: Clock };

/** The activity log, the latest first: what a filter lets through, and as a file. */
export function ActivityTab(
  { level, filter, isFiltered, query, zone, first, clock }: ActivityTabProps,
) {
  const { t, i18n: { language } } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const account = useAccount();
  const { now, timeZone } = useClock(clock);
  const { records, next, reached, newer, busy, complaint, goOlder, goNewer } = useActivities(
    query,
    first,
  );

  if (level === "off" && records.length === 0 && !isFiltered) {
    return (
      <StatusScreen glyph={History} title={t("activity.off")} text={t("activity.offText")}>
        <a className="button button--primary" href={`${BaseURL}/settings/global#activity-title`}>
          {t("settings.tabs.global")}
        </a>
      </StatusScreen>
    );
  }
  return (
    <>
      <Card
        id="filter"
        title={t("activity.find")}
        text={t("activity.zone", { zone })}
        acts={(["csv", "json"] as const).map((format) => (
          <a key={format} className="button" href={account.activityFile(query, format)} download>
            <Icon glyph={Download} />
            {t(`activity.${format}`)}
          </a>
        ))}
      >
        <ActivityFilterForm filter={filter} />
      </Card>
      <TableCard
        id="activity"
        title={t("activity.title")}
        text={level === "off" ? t("activity.off") : undefined}
        columns={[
          t("activity.what"),
          t("activity.who"),
          t("activity.when"),
          t("activity.address"),
        ]}
        plain
        acts={
          <div className="list-end">
            <FormError text={complaint} />
            <p role="status">
              {reached !== null &&
                t("activity.reached", { when: formatExact(reached, language, timeZone) })}
              {records.length === 0 && reached === null && t("activity.none")}
            </p>
            {(newer || next !== null) && (
              <div className="activity__pages">
                <Button disabled={!newer} onClick={() => void goNewer()}>
                  {t("activity.newer")}
                </Button>
                <Button
                  aria-busy={busy}
                  disabled={next === null}
                  onClick={() => void goOlder()}
                >
                  {t("activity.older")}
                </Button>
              </div>
            )}
          </div>
        }
      >
        {records.map((record) => (
          <ActivityLine key={record.seq} record={record} now={now} timeZone={timeZone} />
        ))}
      </TableCard>
    </>
  );
}
