import { useState } from "react";
import { useTranslation } from "react-i18next";
import { NumberField, SelectField } from "../../../../../components/Fields.tsx";
import type { Quota } from "../../../../shared/schemas/quota.ts";

/** Units of 1000, as sizes are shown on the pages. */
const UNITS = { megabyte: 1e6, gigabyte: 1e9, terabyte: 1e12 } as const;

type Unit = keyof typeof UNITS;

/** The largest limits that can be typed. */
const MOST_SIZE = 9_000;
const MOST_FILES = 1_000_000_000;

interface QuotaFieldsProps {
  value: Quota;
  /** The meaning of the limits, unless they are those of one user. */
  hint?: string;
  onChange: (quota: Quota) => void;
}

/** The limits of a user: bytes in a unit, and files. */
export function QuotaFields({ value, hint, onChange }: QuotaFieldsProps) {
  const { t, i18n: { language } } = useTranslation();
  const [unit, setUnit] = useState(unitOf(value.bytes));
  const toBytes = (size: number, of: Unit) => Math.round(size * UNITS[of]);
  const units = (Object.keys(UNITS) as Unit[]).map((each) =>
    [each, unitName(each, language)] as const
  );
  return (
    <fieldset className="field-group">
      <legend className="field__label">{t("quota.title")}</legend>
      <p className="field__hint">{hint ?? t("quota.hint")}</p>
      <div className="fields">
        <NumberField
          name="quotaSize"
          label={t("quota.size")}
          min={0}
          max={toBytes(MOST_SIZE, unit)}
          unit={UNITS[unit]}
          value={value.bytes}
          onChange={(bytes) => onChange({ ...value, bytes })}
        />
        <SelectField
          name="quotaUnit"
          label={t("quota.unit")}
          value={unit}
          options={units}
          onChange={(chosen) => {
            setUnit(chosen);
            // The number stays as it is shown.
            const size = Math.min(value.bytes / UNITS[unit], MOST_SIZE);
            onChange({ ...value, bytes: toBytes(size, chosen) });
          }}
        />
        <NumberField
          name="quotaFiles"
          label={t("quota.files")}
          min={0}
          max={MOST_FILES}
          value={value.files}
          onChange={(files) => onChange({ ...value, files })}
        />
      </div>
    </fieldset>
  );
}

/** The largest unit in which a size is at least one; gigabytes for none. */
function unitOf(bytes: number): Unit {
  if (bytes === 0 || bytes >= UNITS.gigabyte) {
    return bytes >= UNITS.terabyte ? "terabyte" : "gigabyte";
  }
  return "megabyte";
}

/** "GB", as the language writes it. */
function unitName(unit: Unit, language: string): string {
  const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" });
  const part = format.formatToParts(2).find(({ type }) => type === "unit");
  return part?.value ?? unit;
}
