import type { Settings } from "../../../../shared/schemas/settings.ts";
import { useTranslation } from "react-i18next";
import {
  CheckField,
  NumberField,
  SelectField,
  TextField,
} from "../../../../../components/Fields.tsx";
import {
  colorPattern,
  type HookEvent,
  minPasswordLength,
  recipientRights,
} from "../../../../shared/schemas/choices/choices.ts";
import { settingBounds } from "../../../../shared/schemas/choices/setting_bounds.ts";
import { LinesField, WordsField } from "../ListFields.tsx";
import { RulesEditor } from "../rules/RulesEditor.tsx";
import { usePage } from "../../../base/core/page.ts";
import type { Fields } from "../../../base/ui/use_form.ts";

/** The name and the look of the site. */
export function SiteFields({ form }: { form: Fields<Settings> }) {
  const { t } = useTranslation();
  const branding = form.part("branding");
  const color = branding.field("color", "brandColor");
  return (
    <>
      <div className="fields">
        <TextField
          {...branding.field("name", "site")}
          label={t("settings.site")}
          placeholder="Cubby"
          autoComplete="off"
        />
        <SelectField
          {...branding.field("theme")}
          label={t("settings.theme")}
          options={[
            ["", t("settings.themes.system")],
            ["light", t("settings.themes.light")],
            ["dark", t("settings.themes.dark")],
          ]}
        />
        <TextField
          {...color}
          label={t("settings.brandColor")}
          hint={t("settings.brandColorHint")}
          complaint={colorPattern.test(color.value) ? color.complaint : t("settings.colorFault")}
          verbatim
          trim
        />
        <TextField
          {...branding.field("files", "branding")}
          label={t("settings.brandingFiles")}
          hint={t("settings.brandingFilesHint")}
          verbatim
        />
      </div>
      <div className="checks">
        <CheckField
          {...branding.field("disableExternal")}
          label={t("settings.disableExternal")}
        />
        <CheckField
          {...branding.field("disableUsedPercentage")}
          label={t("settings.disableUsedPercentage")}
        />
      </div>
    </>
  );
}

/** Who may sign up and in, and what the rules of all are. */
export function SignInFields({ form }: { form: Fields<Settings> }) {
  const { t } = useTranslation();
  const { AuthMethod } = usePage().data.config;
  return (
    <>
      <div className="checks">
        <CheckField
          {...form.field("signup")}
          label={t("settings.signup")}
          hint={t("settings.signupHint")}
        />
        <CheckField
          {...form.field("createUserDir")}
          label={t("settings.createUserDir")}
          hint={t("settings.createUserDirHint", { folder: form.values.userHomeBasePath })}
        />
      </div>
      <div className="fields">
        {AuthMethod === "json" && (
          <SelectField
            {...form.field("requireSecondFactor")}
            label={t("factors.require")}
            hint={t("factors.requireHint")}
            options={[
              ["nobody", t("factors.requireNobody")],
              ["administrators", t("factors.requireAdmins")],
              ["everybody", t("factors.requireAll")],
            ]}
          />
        )}
        <NumberField
          {...form.field("minimumPasswordLength")}
          {...settingBounds.minimumPasswordLength}
          label={t("settings.minimumPasswordLength")}
          hint={t("settings.passwordHint", { length: minPasswordLength })}
        />
        <TextField
          {...form.field("userHomeBasePath")}
          label={t("settings.userHomeBasePath")}
          verbatim
        />
        <TextField
          {...form.field("logoutPage")}
          label={t("settings.logoutPage")}
          hint={t("settings.logoutPageHint")}
          verbatim
          trim
        />
      </div>
      <RulesEditor {...form.field("rules")} list="global" folds />
    </>
  );
}

/** What shared pages show, and what is offered to those who share. */
export function SharingFields({ form }: { form: Fields<Settings> }) {
  const { t } = useTranslation();
  return (
    <>
      <div className="checks">
        <CheckField
          {...form.field("hideLoginButton")}
          label={t("settings.hideLoginButton")}
        />
        <CheckField
          {...form.field("hideShareOwner")}
          label={t("settings.hideShareOwner")}
        />
        <CheckField
          {...form.field("suggestNames")}
          label={t("settings.suggestNames")}
          hint={t("settings.suggestNamesHint")}
        />
      </div>
      <div className="fields">
        <SelectField
          {...form.field("maxLinkRight")}
          label={t("settings.maxLinkRight")}
          hint={t("settings.maxLinkRightHint")}
          options={recipientRights.map((right) => [right, t(`links.rights.${right}`)] as const)}
        />
      </div>
    </>
  );
}

/** The shell of commands. */
export function ShellField({ form }: { form: Fields<Settings> }) {
  const { t } = useTranslation();
  return (
    <WordsField
      {...form.field("shell")}
      label={t("settings.shell")}
      hint={t("settings.shellHint")}
      placeholder="bash -c, cmd /c, ..."
    />
  );
}

/** How browsers upload. */
export function UploadFields({ form }: { form: Fields<Settings["tus"]> }) {
  const { t } = useTranslation();
  return (
    <div className="fields">
      <NumberField
        {...form.field("chunkSize")}
        {...settingBounds.tus.chunkSize}
        label={t("settings.chunkSize")}
        hint={t("settings.chunkSizeHint")}
      />
      <NumberField
        {...form.field("retryCount")}
        {...settingBounds.tus.retryCount}
        label={t("settings.retryCount")}
      />
    </div>
  );
}

const HOOKED_ACTIONS = ["save", "copy", "rename", "upload", "delete"] as const;

/** The command lines before and after events. */
export function RunnerFields({ form }: { form: Fields<Settings["commands"]> }) {
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
            {...form.field(event)}
            label={t(`settings.events.${event}`)}
          />
        ))}
      </div>
    </>
  );
}
