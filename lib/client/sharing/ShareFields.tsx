import { formatNumber } from "../core/format.ts";
import type { ShareDraft } from "./share_api.ts";
import { useTranslation } from "../core/use_translation.ts";
import { SelectField, TextField } from "../../../components/Fields.tsx";

/** The longest duration, in any unit. */
const MOST = 2 ** 31 - 1;

const UNITS: readonly ShareDraft["unit"][] = ["seconds", "minutes", "hours", "days"];

/** The state of the form. */
export interface ShareForm {
  duration: string;
  unit: ShareDraft["unit"];
  password: string;
  /** The request body; null while the duration is invalid. */
  draft: ShareDraft | null;
}

/** The form with a change; empty without one. */
export function shareFormOf(
  form: Omit<ShareForm, "draft"> = { duration: "", unit: "hours", password: "" },
): ShareForm {
  const { duration, unit, password } = form;
  const text = duration.trim();
  const expires = text === "" ? 0 : /^\d+$/.test(text) ? Number(text) : NaN;
  const makesSense = expires <= MOST;
  return { duration, unit, password, draft: makesSense ? { password, expires, unit } : null };
}

interface ShareFieldsProps {
  form: ShareForm;
  onChange: (form: ShareForm) => void;
}

/** Fields for a share's duration and password. */
export function ShareFields({ form, onChange }: ShareFieldsProps) {
  const { t, language } = useTranslation();
  const most = formatNumber(MOST, language);
  return (
    <>
      <div className="links__duration">
        <TextField
          name="duration"
          label={t("sharing.duration")}
          hint={t("sharing.durationHint")}
          complaint={form.draft ? undefined : t("sharing.wrongDuration", { most })}
          inputMode="numeric"
          autoComplete="off"
          autofocus
          value={form.duration}
          onInput={(event) =>
            onChange(shareFormOf({ ...form, duration: event.currentTarget.value }))}
        />
        <SelectField
          name="unit"
          label={t("sharing.unit")}
          value={form.unit}
          options={UNITS.map((unit) => [unit, t(`sharing.${unit}`)] as const)}
          onChange={(unit) => onChange(shareFormOf({ ...form, unit }))}
        />
      </div>
      <TextField
        name="share-password"
        type="password"
        label={t("sharing.password")}
        autoComplete="new-password"
        value={form.password}
        onInput={(event) => onChange(shareFormOf({ ...form, password: event.currentTarget.value }))}
      />
    </>
  );
}
