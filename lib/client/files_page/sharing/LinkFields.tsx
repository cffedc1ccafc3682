import { useEffect, useRef } from "react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../base/core/format.ts";
import type { Fields, Form } from "../../base/ui/use_form.ts";
import type { ShareDraft } from "./share_api.ts";
import { CheckField, SelectField, TextField } from "../../../../components/Fields.tsx";

/** The longest duration, in any unit. */
const maxDuration = 2 ** 31 - 1;

const units: readonly ShareDraft["unit"][] = ["seconds", "minutes", "hours", "days"];

/** The lifetimes to choose from, in days, 0 for no end; `other` is typed. */
const days = { day: 1, week: 7, month: 30, never: 0, other: NaN };

/** `keep` leaves the lifetime of a link that is edited as it is. */
type Preset = keyof typeof days | "keep";

/** The lifetime and the password in a form. */
export interface LinkValues {
  preset: Preset;
  /** The typed value, for `other`; "" for no end. */
  duration: string;
  unit: ShareDraft["unit"];
  password: string;
  /** The password of an edited link is to go. */
  isOpened: boolean;
}

/** The form of a new link, or of one that is edited. */
export function linkValues(preset: Preset = "never"): LinkValues {
  return { preset, duration: "", unit: "hours", password: "", isOpened: false };
}

/** The error messages of the member `link` of a form. */
export function linkFaults(t: TFunction, language: string, { preset, duration }: LinkValues) {
  const isRight = /^\d*$/.test(duration.trim()) && Number(duration) <= maxDuration;
  if (preset !== "other" || isRight) return {};
  const most = formatNumber(maxDuration, language);
  return { "link.duration": t("sharing.wrongDuration", { most }) };
}

/** The lifetime and the password of a new link. */
export function draftOf({ preset, duration, unit, password }: LinkValues): ShareDraft {
  if (preset === "other") return { password, expires: Number(duration), unit };
  return { password, expires: preset === "keep" ? 0 : days[preset], unit: "days" };
}

/** What a form changes of a link. */
export function linkChange(values: LinkValues): Partial<ShareDraft> {
  const { expires, unit, password } = draftOf(values);
  return {
    ...values.preset !== "keep" && { expires, unit },
    ...values.isOpened ? { password: "" } : password !== "" && { password },
  };
}

/** The props of a dialog with a form, which its button sends. */
export function promptOf(
  { error, busy, isFaulty, submit }: Pick<Form<object>, "error" | "busy" | "isFaulty" | "submit">,
) {
  return { error, busy, incomplete: isFaulty, onAct: () => void submit(), tall: true };
}

interface LinkFieldsProps {
  form: Fields<LinkValues>;
  /** The link that is edited; absent for a new one. */
  edited?: { hasPassword: boolean };
  /** The lifetime takes the focus, as the first of the fields. */
  first?: boolean;
}

/** Fields for the lifetime and the password of a link. */
export function LinkFields({ form, edited, first = true }: LinkFieldsProps) {
  const { t, i18n: { language } } = useTranslation();
  const chosen = useRef<HTMLInputElement>(null);
  // Where the dialog is open already, `autofocus` is too late. Enter makes the link from here.
  useEffect(() => {
    if (first) chosen.current?.focus();
  }, []);
  const { values, change } = form;
  const wordOf = (preset: Preset) =>
    preset === "keep"
      ? t("links.keep")
      : preset === "never" || preset === "other"
      ? t(`sharing.${preset}`)
      : new Intl.NumberFormat(language, { style: "unit", unit: preset, unitDisplay: "long" })
        .format(1);
  const presets = Object.keys(days) as Preset[];
  return (
    <>
      <fieldset className="presets">
        <legend>{t("sharing.lifetime")}</legend>
        {(edited ? ["keep" as const, ...presets] : presets).map((preset) => (
          <label key={preset} className="preset">
            <input
              type="radio"
              className="unseen"
              name="lifetime"
              checked={values.preset === preset}
              ref={values.preset === preset ? chosen : undefined}
              autofocus={first && values.preset === preset}
              onChange={() =>
                change({ preset })}
            />
            {wordOf(preset)}
          </label>
        ))}
      </fieldset>
      {values.preset === "other" && (
        <div className="links__duration">
          <TextField
            {...form.field("duration")}
            label={t("sharing.duration")}
            hint={t("sharing.durationHint")}
            inputMode="numeric"
            autoComplete="off"
          />
          <SelectField
            {...form.field("unit")}
            label={t("sharing.unit")}
            options={units.map((unit) => [unit, t(`sharing.${unit}`)] as const)}
          />
        </div>
      )}
      <TextField
        {...form.field("password", "share-password")}
        type="password"
        label={t(edited?.hasPassword ? "links.newPassword" : "sharing.password")}
        hint={edited?.hasPassword ? t("links.newPasswordHint") : undefined}
        disabled={edited && values.isOpened}
        autoComplete="new-password"
      />
      {edited?.hasPassword && (
        <CheckField {...form.field("isOpened", "share-open")} label={t("links.removePassword")} />
      )}
    </>
  );
}
