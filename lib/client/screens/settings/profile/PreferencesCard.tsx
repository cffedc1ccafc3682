import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TokenUser } from "../../../../shared/api_types.ts";
import { usePage } from "../../../base/core/page.ts";
import { deepEqual } from "../users/user_changes.ts";
import { useAccount } from "../account_api.ts";
import { useSending } from "../use_sending.ts";
import { useLeaving, useUnsaved } from "../use_unsaved.ts";
import { useToasts } from "../../../base/core/use_site.ts";
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
  const sending = useSending();
  const { id, locale } = user;
  const [saved, setSaved] = useState({ locale, ...behaviourOf(user) });
  const [wanted, setWanted] = useState(saved);
  const leave = useLeaving();

  const save = async () => {
    const answer = await sending.send(() => account.changeUser(id, wanted));
    if (!answer.ok) return false;
    if (LoginPage) await account.refresh();
    setSaved(wanted);
    // The server renders the page's language, so reload.
    if (wanted.locale !== saved.locale) leave("settingsUpdated");
    else toasts.success(t("toasts.settingsUpdated"));
    return true;
  };
  useUnsaved({ name: t("settings.preferences"), isChanged: !deepEqual(wanted, saved), save });

  return (
    <Form busy={sending.busy} onSend={() => void save()}>
      <Card
        id="preferences"
        title={t("settings.preferences")}
        acts={<SaveButton busy={sending.busy} />}
      >
        <LocaleField
          value={wanted.locale}
          locales={locales}
          onChange={(locale) => setWanted({ ...wanted, locale })}
        />
        <BehaviourFields
          value={wanted}
          onChange={(change) => setWanted({ ...wanted, ...change })}
        />
      </Card>
    </Form>
  );
}
