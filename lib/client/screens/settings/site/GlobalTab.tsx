import type { Settings } from "../../../../shared/schemas/settings.ts";
import { useAccount } from "../account_api.ts";
import { deepEqual, useSettingsForm } from "../use_settings_form.ts";
import { useLeaving } from "../use_unsaved.ts";
import { useToasts } from "../../../base/core/use_site.ts";
import { useTranslation } from "react-i18next";
import { Card } from "../../../../../components/Card.tsx";
import { CommandsField, PermissionFields, ScopeField } from "../users/PermissionFields.tsx";
import { QuotaFields } from "../users/QuotaFields.tsx";
import { Form, SaveButton } from "../Form.tsx";
import { ActivityFields } from "./ActivityFields.tsx";
import { ContentsFields } from "./ContentsFields.tsx";
import { GeneralFields, RunnerFields } from "./SiteFields.tsx";
import { TrashFields } from "./TrashFields.tsx";
import { RulesEditor } from "../rules/RulesEditor.tsx";
import { ViewFields } from "../profile/ViewFields.tsx";

interface GlobalTabProps {
  settings: Settings;
  locales: readonly string[];
}

/** The settings of the whole server, saved together. */
export function GlobalTab({ settings, locales }: GlobalTabProps) {
  const { t } = useTranslation();
  const account = useAccount();
  const toasts = useToasts();
  const leave = useLeaving();
  const form = useSettingsForm(settings, {
    title: t("settings.tabs.global"),
    fields: { invalid_path: "defaults.scope", invalid_rule: "rules" },
    save: (wanted, current) => account.saveSettings(wanted, current),
    done(_, now, former) {
      const runsOther = deepEqual({ ...now, commands: null }, { ...former, commands: null }) &&
        !deepEqual(now.commands, former.commands);
      // The name and look of the site appear all over the page, so reload.
      if (!deepEqual(now.branding, former.branding)) leave("settingsUpdated");
      else toasts.success(t(runsOther ? "toasts.commandsUpdated" : "toasts.settingsUpdated"));
    },
  });
  const defaults = form.part("defaults");

  return (
    <Form className="settings__form" form={form}>
      <Card id="general" title={t("settings.general")}>
        <GeneralFields form={form} />
        <RulesEditor {...form.field("rules")} list="global" />
      </Card>
      <Card id="trash" title={t("trash.title")}>
        <TrashFields form={form.part("trash")} />
      </Card>
      <Card id="contents" title={t("contents.title")}>
        <ContentsFields form={form.part("contents")} isOn={form.saved.contents.enabled} />
      </Card>
      <Card id="activity" title={t("activity.level")}>
        <ActivityFields form={form.part("audit")} />
      </Card>
      <Card id="defaults" title={t("settings.defaults")} text={t("settings.defaultsText")}>
        <ScopeField {...defaults.field("scope")} />
        <PermissionFields {...defaults.field("perm")} />
        <QuotaFields {...defaults.field("quota")} />
        <CommandsField {...defaults.field("commands")} />
        <ViewFields form={defaults} locales={locales} />
      </Card>
      <Card id="runner" title={t("settings.runner")} text={t("settings.runnerText")}>
        <RunnerFields form={form.part("commands")} />
      </Card>
      <div className="settings__foot">
        <SaveButton busy={form.busy} />
      </div>
    </Form>
  );
}
