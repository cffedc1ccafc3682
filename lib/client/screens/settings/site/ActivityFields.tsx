import { useTranslation } from "react-i18next";
import { NumberField, SelectField } from "../../../../../components/Fields.tsx";
import type { Settings } from "../../../../shared/api_types.ts";
import { auditLevels } from "../../../../shared/schemas/choices/audit_choices.ts";

interface ActivityFieldsProps {
  value: Settings["audit"];
  onChange: (change: Partial<Settings["audit"]>) => void;
}

const words = {
  off: "activity.lOff",
  changes: "activity.lChanges",
  reads: "activity.lReads",
} as const;

/** The level of the activity log, and for how long it keeps records. */
export function ActivityFields({ value, onChange }: ActivityFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="fields">
      <SelectField
        name="auditLevel"
        label={t("activity.level")}
        value={value.level}
        options={auditLevels.map((level) => [level, t(words[level])] as const)}
        onChange={(level) => onChange({ level })}
      />
      {value.level !== "off" && (
        <NumberField
          name="auditDays"
          label={t("activity.days")}
          min={1}
          max={3650}
          value={value.days}
          onChange={(days) => onChange({ days: Math.round(days) })}
        />
      )}
    </div>
  );
}
