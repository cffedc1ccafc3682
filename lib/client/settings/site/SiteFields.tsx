import type { Branding, HookEvent, Settings } from "../../../shared/api_types.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { CheckField, SelectField, TextField } from "../../../../components/Fields.tsx";
import { LinesField, WordsField } from "../ListFields.tsx";
import { usePage } from "../../core/page.ts";

interface GeneralFieldsProps {
  value: Settings;
  onChange: (change: Partial<Settings>) => void;
  onBranding: (change: Partial<Branding>) => void;
}

/** Sign-up, branding and the shell. */
export function GeneralFields({ value, onChange, onBranding }: GeneralFieldsProps) {
  const { t } = useTranslation();
  const { branding } = value;
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
          hint={t("settings.createUserDirHint")}
          checked={value.createUserDir}
          onChange={(createUserDir) => onChange({ createUserDir })}
        />
        <CheckField
          name="disableExternal"
          label={t("settings.disableExternal")}
          checked={branding.disableExternal}
          onChange={(disableExternal) => onBranding({ disableExternal })}
        />
      </div>
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
      {!EnableExec && <p className="notice">{t("settings.runnerOff")}</p>}
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
