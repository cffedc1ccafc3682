import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type MutableTopic,
  mutableTopics,
} from "../../../../shared/schemas/choices/notification_choices.ts";
import type { TokenUser } from "../../../../shared/api_types.ts";
import { usePage } from "../../../base/core/page.ts";
import { useMay, useToasts } from "../../../base/core/use_site.ts";
import { Card } from "../../../../../components/Card.tsx";
import { CheckField } from "../../../../../components/Fields.tsx";
import { Form, SaveButton } from "../Form.tsx";
import { useAccount } from "../account_api.ts";
import { useSending } from "../use_sending.ts";
import { useUnsaved } from "../use_unsaved.ts";
import { deepEqual } from "../users/user_changes.ts";

interface NotificationsCardProps {
  user: TokenUser;
  /** Kinds of notifications that the user has turned off. */
  muted: readonly MutableTopic[];
  /** The user's mail address; "" for none. */
  mail: string;
  isMailed: boolean;
}

/** The choice of notifications. */
export function NotificationsCard({ user, muted, mail, isMailed }: NotificationsCardProps) {
  const { t } = useTranslation();
  const may = useMay();
  const { EnableMail, EnableWebhooks } = usePage().data.config;
  const account = useAccount();
  const toasts = useToasts();
  const sending = useSending();
  const [saved, setSaved] = useState({ muted, isMailed });
  const [wanted, setWanted] = useState(saved);
  const isOffered = (topic: MutableTopic) =>
    topic === "server"
      ? user.perm.admin && EnableWebhooks
      : may("share") || !["requests", "shares"].includes(topic);

  const save = async () => {
    const change = {
      mutedNotifications: [...wanted.muted],
      ...wanted.isMailed !== saved.isMailed && { mailNotifications: wanted.isMailed },
    };
    const answer = await sending.send(() => account.changeUser(user.id, change));
    if (!answer.ok) return false;
    setSaved(wanted);
    toasts.success(t("toasts.settingsUpdated"));
    return true;
  };
  useUnsaved({ name: t("notifications.title"), isChanged: !deepEqual(wanted, saved), save });

  return (
    <Form busy={sending.busy} onSend={() => void save()}>
      <Card
        id="notifications"
        title={t("notifications.title")}
        text={t("notifications.settingsText")}
        acts={<SaveButton busy={sending.busy} />}
      >
        <div className="checks">
          {mutableTopics.filter(isOffered).map((topic) => (
            <CheckField
              key={topic}
              name={`notify-${topic}`}
              label={t(`notifications.topics.${topic}`)}
              checked={!wanted.muted.includes(topic)}
              onChange={(isOn) => {
                const isMuted = (each: MutableTopic) =>
                  each === topic ? !isOn : wanted.muted.includes(each);
                setWanted({ ...wanted, muted: mutableTopics.filter(isMuted) });
              }}
            />
          ))}
        </div>
        {EnableMail && (
          <CheckField
            name="mailNotifications"
            label={mail
              ? t("notifications.byMail", { address: mail })
              : t("notifications.byMailOff")}
            hint={mail ? t("notifications.byMailHint") : t("notifications.noAddress")}
            checked={wanted.isMailed && mail !== ""}
            disabled={mail === ""}
            onChange={(isOn) => setWanted({ ...wanted, isMailed: isOn })}
          />
        )}
      </Card>
    </Form>
  );
}
