import type { ReactNode } from "react";
import type { Placed } from "../../../../shared/named_roots.ts";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import { usePage } from "../../../base/core/page.ts";
import { useAccount } from "../account_api.ts";
import { deepEqual, useSettingsForm } from "../use_settings_form.ts";
import { useLeaving } from "../use_unsaved.ts";
import { useToasts } from "../../../base/core/use_site.ts";
import { useTranslation } from "react-i18next";
import { Card } from "../../../../../components/Card.tsx";
import { CommandsField, PermissionFields, ScopeField } from "../users/PermissionFields.tsx";
import { QuotaFields } from "../users/QuotaFields.tsx";
import { RecordForm } from "../Form.tsx";
import { ActivityFields } from "./ActivityFields.tsx";
import { ContentsFields } from "./ContentsFields.tsx";
import {
  RunnerFields,
  SharingFields,
  ShellField,
  SignInFields,
  SiteFields,
  UploadFields,
} from "./SiteFields.tsx";
import { FeatureState } from "./FeatureState.tsx";
import { type SitePart, SiteParts, usePartTitles } from "./SiteParts.tsx";
import { TrashFields } from "./TrashFields.tsx";
import { ViewFields } from "../profile/ViewFields.tsx";

interface GlobalTabProps {
  settings: Settings;
  /** The administrator's own place, which gives own paths their meaning. */
  own: Placed;
  locales: readonly string[];
}

/** The settings of the whole server, saved together. */
export function GlobalTab({ settings, own, locales }: GlobalTabProps) {
  const { t } = useTranslation();
  const { BaseURL, EnableMail, EnableWebhooks } = usePage().data.config;
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

  const titles = usePartTitles();
  const cardOf = (id: SitePart) => ({ id, title: titles[id] });

  return (
    <div className="divided">
      <SiteParts />
      <RecordForm form={form}>
        <Card id="general" title={t("settings.general")}>
          <Part id="site">
            <SiteFields form={form} />
          </Part>
          <Part id="signin">
            <SignInFields form={form} />
          </Part>
          <Part id="sharing">
            <SharingFields form={form} />
          </Part>
          <Part id="commands">
            <ShellField form={form} />
          </Part>
        </Card>
        <Card id="runner" title={t("settings.runner")} text={t("settings.runnerText")}>
          <RunnerFields form={form.part("commands")} />
        </Card>
        <Card {...cardOf("storage")}>
          <UploadFields form={form.part("tus")} />
          <TrashFields form={form.part("trash")} />
        </Card>
        <Card {...cardOf("search")}>
          <ContentsFields form={form.part("contents")} isOn={form.saved.contents.enabled} />
        </Card>
        <Card {...cardOf("activity")}>
          <ActivityFields form={form.part("audit")} />
        </Card>
        <Card {...cardOf("mail")}>
          <FeatureState name="mail" isOn={EnableMail ?? false} />
          <FeatureState name="webhooks" isOn={EnableWebhooks ?? false}>
            <p>
              <a href={`${BaseURL}/settings/webhooks`}>{t("settings.tabs.webhooks")}</a>
            </p>
          </FeatureState>
        </Card>
        <Card {...cardOf("defaults")} text={t("settings.defaultsText")}>
          <ScopeField {...defaults.field("scope")} own={own} />
          <PermissionFields {...defaults.field("perm")} />
          <QuotaFields {...defaults.field("quota")} />
          <CommandsField {...defaults.field("commands")} />
          <details className="fold">
            <summary>{t("settings.preferences")}</summary>
            <ViewFields form={defaults} locales={locales} />
          </details>
        </Card>
      </RecordForm>
    </div>
  );
}

/** A part of a card, with its heading. */
function Part({ id, children }: { id: SitePart; children: ReactNode }) {
  const titles = usePartTitles();
  return (
    <section className="part" id={id} aria-labelledby={`${id}-part`}>
      <h3 className="part__title" id={`${id}-part`}>{titles[id]}</h3>
      {children}
    </section>
  );
}
