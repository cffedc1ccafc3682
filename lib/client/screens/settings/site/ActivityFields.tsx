import { NumberField, SelectField } from "../../../../../components/Fields.tsx";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import { auditLevels } from "../../../../shared/schemas/choices/audit_choices.ts";
import { settingBounds } from "../../../../shared/schemas/choices/setting_bounds.ts";
import { useTranslation } from "react-i18next";
import type { Fields } from "../../../base/ui/use_form.ts";

const words = {
  off: "activity.lOff",
  changes: "activity.lChanges",
  reads: "activity.lReads",
} as const;

/** The level of the activity log, and for how long it keeps records. */
export function ActivityFields({ form }: { form: Fields<Settings["audit"]> }) {
  const { t } = useTranslation();
  return (
    <div className="fields">
      <SelectField
        {...form.field("level", "auditLevel")}
        label={t("activity.level")}
        options={auditLevels.map((level) => [level, t(words[level])] as const)}
      />
      {form.values.level !== "off" && (
        <NumberField
          {...form.field("days", "auditDays")}
          {...settingBounds.audit.days}
          label={t("activity.days")}
        />
      )}
    </div>
  );
}
