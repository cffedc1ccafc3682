import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Branding, Settings, UserPreferences } from "../../../../shared/api_types.ts";
import { deepEqual } from "../users/user_changes.ts";
import { useAccount } from "../account_api.ts";
import { useSending } from "../use_sending.ts";
import { useLeaving, useUnsaved } from "../use_unsaved.ts";
import { useToasts } from "../../../base/core/use_site.ts";
import { Card } from "../../../../../components/Card.tsx";
import { CommandsField, PermissionFields, ScopeField } from "../users/AccessFields.tsx";
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
  const sending = useSending();
  const [saved, setSaved] = useState(settings);
  const [wanted, setWanted] = useState(settings);
  const leave = useLeaving();
  const { defaults } = wanted;
  const change = (changed: Partial<Settings>) => setWanted({ ...wanted, ...changed });
  const setDefaults = (changed: Partial<UserPreferences>) =>
    change({ defaults: { ...defaults, ...changed } });
  const setBranding = (changed: Partial<Branding>) =>
    change({ branding: { ...wanted.branding, ...changed } });

  const save = async () => {
    const answer = await sending.send((current) => account.saveSettings(wanted, current), {
      fields: { invalid_path: "scope", invalid_rule: "rules" },
    });
    if (!answer.ok) return false;
    setSaved(wanted);
    const runsOther = deepEqual({ ...wanted, commands: null }, { ...saved, commands: null }) &&
      !deepEqual(wanted.commands, saved.commands);
    // The name and look of the site appear all over the page, so reload.
    if (!deepEqual(wanted.branding, saved.branding)) leave("settingsUpdated");
    else toasts.success(t(runsOther ? "toasts.commandsUpdated" : "toasts.settingsUpdated"));
    return true;
  };
  useUnsaved({ name: t("settings.tabs.global"), isChanged: !deepEqual(wanted, saved), save });

  return (
    <Form className="settings__form" busy={sending.busy} onSend={() => void save()}>
      <Card id="general" title={t("settings.general")}>
        <GeneralFields value={wanted} onChange={change} onBranding={setBranding} />
        <RulesEditor
          rules={wanted.rules}
          list="global"
          complaint={sending.about("rules")}
          onChange={(rules) => change({ rules })}
        />
      </Card>
      <Card id="trash" title={t("trash.title")}>
        <TrashFields
          value={wanted.trash}
          onChange={(changed) => change({ trash: { ...wanted.trash, ...changed } })}
        />
      </Card>
      <Card id="contents" title={t("contents.title")}>
        <ContentsFields
          value={wanted.contents}
          isOn={saved.contents.enabled}
          onChange={(changed) => change({ contents: { ...wanted.contents, ...changed } })}
        />
      </Card>
      <Card id="activity" title={t("activity.level")}>
        <ActivityFields
          value={wanted.audit}
          onChange={(changed) => change({ audit: { ...wanted.audit, ...changed } })}
        />
      </Card>
      <Card id="defaults" title={t("settings.defaults")} text={t("settings.defaultsText")}>
        <ScopeField
          value={defaults.scope}
          complaint={sending.about("scope")}
          onChange={(scope) => setDefaults({ scope })}
        />
        <PermissionFields value={defaults.perm} onChange={(perm) => setDefaults({ perm })} />
        <QuotaFields value={defaults.quota} onChange={(quota) => setDefaults({ quota })} />
        <CommandsField
          commands={defaults.commands}
          onChange={(commands) => setDefaults({ commands })}
        />
        <ViewFields value={defaults} locales={locales} onChange={setDefaults} />
      </Card>
      <Card id="runner" title={t("settings.runner")} text={t("settings.runnerText")}>
        <RunnerFields
          commands={wanted.commands}
          onChange={(commands) => change({ commands })}
        />
      </Card>
      <div className="settings__foot">
        <SaveButton busy={sending.busy} />
      </div>
    </Form>
  );
}
