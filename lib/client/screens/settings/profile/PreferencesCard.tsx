import type { TokenUser } from "../../../../shared/schemas/user.ts";
import { usePage } from "../../../base/core/page.ts";
import { useAccount } from "../account_api.ts";
import { useSettingsForm } from "../use_settings_form.ts";
import { useLeaving } from "../use_unsaved.ts";
import { useToasts } from "../../../base/core/use_site.ts";
import { useTranslation } from "react-i18next";
import { Card } from "../../../../../components/Card.tsx";
import { Form, SaveButton } from "../Form.tsx";
import { BehaviourFields, behaviourOf, LocaleField } from "./ViewFields.tsx";

interface PreferencesCardProps {
  user: TokenUser;
  locales: readonly string[];
}

/** The language and the display preferences of a user. */
export function PreferencesCard({ user, locales }: PreferencesCardProps) {
  const { t } = useTranslation();
  const { LoginPage } = usePage().data.config;
  const account = useAccount();
  const toasts = useToasts();
  const leave = useLeaving();
  const { id, locale } = user;
  const form = useSettingsForm({ locale, ...behaviourOf(user) }, {
    title: t("settings.preferences"),
    save: (wanted, current) => account.changeUser(id, wanted, current),
    async done(_, now, former) {
      if (LoginPage) await account.refresh();
      // The server renders the page's language, so reload.
      if (now.locale !== former.locale) leave("settingsUpdated");
      else toasts.success(t("toasts.settingsUpdated"));
    },
  });

  return (
    <Form form={form}>
      <Card
        id="preferences"
        title={t("settings.preferences")}
        acts={<SaveButton busy={form.busy} />}
      >
        <LocaleField {...form.field("locale")} locales={locales} />
        <BehaviourFields form={form} />
      </Card>
    </Form>
  );
}
