import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { Field, TextField } from "../../../../../components/Fields.tsx";
import { auditActions, auditGroupNames } from "../../../../shared/schemas/choices/audit_choices.ts";
import type { ActivityFilter } from "../../../../shared/settings_data.ts";

/** Which activities are wanted: the form leads to the page that shows them. */
export function ActivityFilterForm({ filter }: { filter: ActivityFilter }) {
  const { t } = useTranslation();
  return (
    <form method="get" className="activity__filter">
      <TextField name="path" label={t("activity.path")} defaultValue={filter.path} verbatim />
      <TextField name="user" label={t("activity.who")} defaultValue={filter.user} verbatim />
      <Field name="action" label={t("activity.action")}>
        {(control) => (
          <select {...control} className="field__input">
            <option value="">{t("activity.anyAction")}</option>
            {auditGroupNames.map((group) => (
              <option key={group} value={group} selected={group === filter.action}>
                {t(`activity.groups.${group}`)}
              </option>
            ))}
            {auditActions.map((action) => (
              <option key={action} value={action} selected={action === filter.action}>
                {t(`activity.did.${action}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField
        type="date"
        name="since"
        label={t("activity.since")}
        defaultValue={filter.since}
      />
      <TextField
        type="date"
        name="until"
        label={t("activity.until")}
        defaultValue={filter.until}
      />
      <Button type="submit">{t("buttons.apply")}</Button>
    </form>
  );
}
