import { useState } from "react";
import type { TokenUser } from "../../../shared/api_types.ts";
import { usePage } from "../../core/page.ts";
import { isAlike } from "../alike.ts";
import { useAccount } from "../use_account.ts";
import { useSending } from "../use_sending.ts";
import { useLeaving, useUnsaved } from "../use_unsaved.ts";
import { useToasts } from "../../core/use_site.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { Card } from "../Card.tsx";
import { Form } from "../Form.tsx";
import { LocaleField } from "../LocaleField.tsx";
import { BehaviourFields } from "../site/BehaviourFields.tsx";
import { SaveButton } from "../SaveButton.tsx";

interface PreferencesCardProps {
  user: TokenUser;
  locales: readonly string[];
}

/** How the product speaks to a user and shows files. */
export function PreferencesCard({ user, locales }: PreferencesCardProps) {
  const { t } = useTranslation();
  const { AuthMethod } = usePage().data.config;
  const account = useAccount();
  const toasts = useToasts();
  const sending = useSending();
  const { id, locale, hideDotfiles, singleClick, dateFormat } = user;
  const [saved, setSaved] = useState({ locale, hideDotfiles, singleClick, dateFormat });
  const [wanted, setWanted] = useState(saved);
  const leave = useLeaving();

  const save = async () => {
    const answer = await sending.send(() => account.changeUser(id, wanted));
    if (!answer.ok) return false;
    if (AuthMethod === "json") await account.refresh();
    setSaved(wanted);
    // The page's words come from the server.
    if (wanted.locale !== saved.locale) leave("settingsUpdated");
    else toasts.success(t("toasts.settingsUpdated"));
    return true;
  };
  useUnsaved({ name: t("settings.preferences"), isChanged: !isAlike(wanted, saved), save });

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
