import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ShareInfo } from "../../../shared/api_types.ts";
import { formatNumber } from "../../base/core/format.ts";
import type { ShareDraft } from "./share_api.ts";
import { SelectField, TextField } from "../../../../components/Fields.tsx";

/** The longest duration, in any unit. */
const MOST = 2 ** 31 - 1;

const UNITS: readonly ShareDraft["unit"][] = ["seconds", "minutes", "hours", "days"];

/** The lifetimes to choose from; `other` is typed. */
const PRESETS = ["day", "week", "month", "never", "other"] as const;

/** `keep` leaves the lifetime of a share that is edited as it is. */
type Preset = typeof PRESETS[number] | "keep";

/** The length of each, in days; 0 for no end. */
const DAYS: Record<Exclude<Preset, "other">, number> = {
  ...{ day: 1, week: 7, month: 30, never: 0 },
  keep: 0,
};

/** The state of the form. */
export interface ShareForm {
  preset: Preset;
  /** The typed value, for `other`. */
  duration: string;
  unit: ShareDraft["unit"];
  password: string;
  /** The request body; null while the duration is invalid. */
  draft: ShareDraft | null;
}

/** The form with a change; empty without one. */
export function shareFormOf(
  form: Omit<ShareForm, "draft"> = { preset: "never", duration: "", unit: "hours", password: "" },
): ShareForm {
  const { preset, duration, unit, password } = form;
  const wanted = preset === "other"
    ? { expires: numberIn(duration), unit }
    : { expires: DAYS[preset], unit: "days" as const };
  const draft = wanted.expires <= MOST ? { password, ...wanted } : null;
  return { preset, duration, unit, password, draft };
}

/** NaN for what is no number; nothing stands for 0. */
function numberIn(duration: string): number {
  const text = duration.trim();
  return text === "" ? 0 : /^\d+$/.test(text) ? Number(text) : NaN;
}

interface ShareFieldsProps {
  form: ShareForm;
  onChange: (form: ShareForm) => void;
  /** The share that is edited, and whether its password is to go; absent for a new one. */
  edited?: Pick<ShareInfo, "hasPassword"> & { isOpened: boolean };
}

/** Fields for a share's lifetime and password. */
export function ShareFields({ form, onChange, edited }: ShareFieldsProps) {
  const { t, i18n: { language } } = useTranslation();
  const chosen = useRef<HTMLInputElement>(null);
  // Where the dialog is open already, `autofocus` is too late. Enter makes the link from here.
  useEffect(() => chosen.current?.focus(), []);
  const wordOf = (preset: Preset) =>
    preset === "keep"
      ? t("links.keep")
      : preset === "never" || preset === "other"
      ? t(`sharing.${preset}`)
      : new Intl.NumberFormat(language, { style: "unit", unit: preset, unitDisplay: "long" })
        .format(1);
  return (
    <>
      <fieldset className="presets">
        <legend>{t("sharing.lifetime")}</legend>
        {(edited ? ["keep" as const, ...PRESETS] : PRESETS).map((preset) => (
          <label key={preset} className="preset">
            <input
              type="radio"
              className="unseen"
              name="lifetime"
              checked={form.preset === preset}
              ref={form.preset === preset ? chosen : undefined}
              autofocus={form.preset === preset}
              onChange={() =>
                onChange(shareFormOf({ ...form, preset }))}
            />
            {wordOf(preset)}
          </label>
        ))}
      </fieldset>
      {form.preset === "other" && <DurationFields form={form} onChange={onChange} />}
      <TextField
        name="share-password"
        type="password"
        label={t(edited?.hasPassword ? "links.newPassword" : "sharing.password")}
        hint={edited?.hasPassword ? t("links.newPasswordHint") : undefined}
        disabled={edited?.isOpened}
        autoComplete="new-password"
        value={form.password}
        onChange={(text) => onChange(shareFormOf({ ...form, password: text }))}
      />
    </>
  );
}

/** Fields for a lifetime that is typed. */
function DurationFields({ form, onChange }: ShareFieldsProps) {
  const { t, i18n: { language } } = useTranslation();
  const most = formatNumber(MOST, language);
  return (
    <div className="links__duration">
      <TextField
        name="duration"
        label={t("sharing.duration")}
        hint={t("sharing.durationHint")}
        complaint={form.draft ? undefined : t("sharing.wrongDuration", { most })}
        inputMode="numeric"
        autoComplete="off"
        value={form.duration}
        onChange={(text) => onChange(shareFormOf({ ...form, duration: text }))}
      />
      <SelectField
        name="unit"
        label={t("sharing.unit")}
        value={form.unit}
        options={UNITS.map((unit) => [unit, t(`sharing.${unit}`)] as const)}
        onChange={(unit) => onChange(shareFormOf({ ...form, unit }))}
      />
    </div>
  );
}
