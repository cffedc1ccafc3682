import { useTranslation } from "react-i18next";
import type { Branding, HookEvent, Settings } from "../../../../shared/api_types.ts";
import {
  CheckField,
  NumberField,
  SelectField,
  TextField,
} from "../../../../../components/Fields.tsx";
import {
  colorPattern,
  maxPasswordLength,
  minPasswordLength,
} from "../../../../shared/schemas/choices/choices.ts";
import { LinesField, WordsField } from "../ListFields.tsx";
import { usePage } from "../../../base/core/page.ts";

const MEBIBYTE = 2 ** 20;

interface GeneralFieldsProps {
  value: Settings;
  onChange: (change: Partial<Settings>) => void;
  onBranding: (change: Partial<Branding>) => void;
}

/** Sign-up, branding and the shell. */
export function GeneralFields({ value, onChange, onBranding }: GeneralFieldsProps) {
  const { t } = useTranslation();
  const { AuthMethod } = usePage().data.config;
  const { branding, tus } = value;
  return (
    <>
      <div className="checks">
        <CheckField
          name="signup"
          label={t("settings.signup")}
          hint={t("settings.signupHint")}
          checked={value.signup}
          onChange={(signup) => onChange({ signup })}
        />
        <CheckField
          name="createUserDir"
          label={t("settings.createUserDir")}
          hint={t("settings.createUserDirHint", { folder: value.userHomeBasePath })}
          checked={value.createUserDir}
          onChange={(createUserDir) => onChange({ createUserDir })}
        />
        <CheckField
          name="hideLoginButton"
          label={t("settings.hideLoginButton")}
          checked={value.hideLoginButton}
          onChange={(hideLoginButton) => onChange({ hideLoginButton })}
        />
        <CheckField
          name="hideShareOwner"
          label={t("settings.hideShareOwner")}
          checked={value.hideShareOwner}
          onChange={(hideShareOwner) => onChange({ hideShareOwner })}
        />
        <CheckField
          name="suggestNames"
          label={t("settings.suggestNames")}
          hint={t("settings.suggestNamesHint")}
          checked={value.suggestNames}
          onChange={(suggestNames) => onChange({ suggestNames })}
        />
        <CheckField
          name="disableExternal"
          label={t("settings.disableExternal")}
          checked={branding.disableExternal}
          onChange={(disableExternal) => onBranding({ disableExternal })}
        />
        <CheckField
          name="disableUsedPercentage"
          label={t("settings.disableUsedPercentage")}
          checked={branding.disableUsedPercentage}
          onChange={(disableUsedPercentage) => onBranding({ disableUsedPercentage })}
        />
      </div>
      {AuthMethod === "json" && (
        <SelectField
          name="requireSecondFactor"
          label={t("factors.require")}
          hint={t("factors.requireHint")}
          value={value.requireSecondFactor}
          options={[
            ["nobody", t("factors.requireNobody")],
            ["administrators", t("factors.requireAdmins")],
            ["everybody", t("factors.requireAll")],
          ]}
          onChange={(requireSecondFactor) => onChange({ requireSecondFactor })}
        />
      )}
      <div className="fields">
        <TextField
          name="site"
          label={t("settings.site")}
          placeholder="Cubby"
          autoComplete="off"
          value={branding.name}
          onInput={(event) => onBranding({ name: event.currentTarget.value })}
        />
        <SelectField
          name="theme"
          label={t("settings.theme")}
          value={branding.theme}
          options={[
            ["", t("settings.themes.system")],
            ["light", t("settings.themes.light")],
            ["dark", t("settings.themes.dark")],
          ]}
          onChange={(theme) => onBranding({ theme })}
        />
        <TextField
          name="brandColor"
          label={t("settings.brandColor")}
          hint={t("settings.brandColorHint")}
          complaint={colorPattern.test(branding.color) ? undefined : t("settings.colorFault")}
          verbatim
          value={branding.color}
          onInput={(event) => onBranding({ color: event.currentTarget.value.trim() })}
        />
        <TextField
          name="logoutPage"
          label={t("settings.logoutPage")}
          hint={t("settings.logoutPageHint")}
          verbatim
          value={value.logoutPage}
          onInput={(event) => onChange({ logoutPage: event.currentTarget.value.trim() })}
        />
        <TextField
          name="userHomeBasePath"
          label={t("settings.userHomeBasePath")}
          verbatim
          value={value.userHomeBasePath}
          onInput={(event) => onChange({ userHomeBasePath: event.currentTarget.value })}
        />
        <NumberField
          name="minimumPasswordLength"
          label={t("settings.minimumPasswordLength")}
          hint={t("settings.passwordHint", { length: minPasswordLength })}
          min={minPasswordLength}
          max={maxPasswordLength}
          value={value.minimumPasswordLength}
          onChange={(length) => onChange({ minimumPasswordLength: Math.round(length) })}
        />
        <NumberField
          name="chunkSize"
          label={t("settings.chunkSize")}
          hint={t("settings.chunkSizeHint")}
          min={1}
          max={2048}
          value={tus.chunkSize / MEBIBYTE}
          onChange={(size) => onChange({ tus: { ...tus, chunkSize: Math.round(size * MEBIBYTE) } })}
        />
        <NumberField
          name="retryCount"
          label={t("settings.retryCount")}
          min={0}
          max={100}
          value={tus.retryCount}
          onChange={(count) => onChange({ tus: { ...tus, retryCount: Math.round(count) } })}
        />
      </div>
      <TextField
        name="branding"
        label={t("settings.brandingFiles")}
        hint={t("settings.brandingFilesHint")}
        verbatim
        value={branding.files}
        onInput={(event) => onBranding({ files: event.currentTarget.value })}
      />
      <WordsField
        name="shell"
        label={t("settings.shell")}
        hint={t("settings.shellHint")}
        placeholder="bash -c, cmd /c, ..."
        words={value.shell}
        onChange={(shell) => onChange({ shell })}
      />
    </>
  );
}

const HOOKED_ACTIONS = ["save", "copy", "rename", "upload", "delete"] as const;

interface RunnerFieldsProps {
  commands: Settings["commands"];
  onChange: (commands: Settings["commands"]) => void;
}

/** The command lines before and after events. */
export function RunnerFields({ commands, onChange }: RunnerFieldsProps) {
  const { t } = useTranslation();
  const { EnableExec } = usePage().data.config;
  const events = HOOKED_ACTIONS.flatMap((
    action,
  ): HookEvent[] => [`before_${action}`, `after_${action}`]);
  return (
    <>
      {!EnableExec && <p className="card__notice">{t("settings.runnerOff")}</p>}
      <div className="fields">
        {events.map((event) => (
          <LinesField
            key={event}
            name={event}
            label={t(`settings.events.${event}`)}
            lines={commands[event]}
            onChange={(lines) => onChange({ ...commands, [event]: lines })}
          />
        ))}
      </div>
    </>
  );
}
