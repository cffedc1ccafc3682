import {
  type MutableTopic,
  mutableTopics,
} from "../../../../shared/schemas/choices/notification_choices.ts";
import type { TokenUser } from "../../../../shared/schemas/user.ts";
import { usePage } from "../../../base/core/page.ts";
import { useMay, useToasts } from "../../../base/core/use_site.ts";
import { useTranslation } from "react-i18next";
import { Card } from "../../../../../components/Card.tsx";
import { CheckField } from "../../../../../components/Fields.tsx";
import { Form, SaveButton } from "../Form.tsx";
import { useAccount } from "../account_api.ts";
import { useSettingsForm } from "../use_settings_form.ts";

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
  const isOffered = (topic: MutableTopic) =>
    topic === "server"
      ? user.perm.admin && EnableWebhooks
      : may("share") || !["requests", "shares"].includes(topic);

  const form = useSettingsForm({ muted, isMailed }, {
    title: t("notifications.title"),
    save: ({ muted, isMailed }, current, saved) =>
      account.changeUser(user.id, {
        mutedNotifications: [...muted],
        ...isMailed !== saved.isMailed && { mailNotifications: isMailed },
      }, current),
    done: () => toasts.success(t("toasts.settingsUpdated")),
  });
  const { values: wanted, change } = form;

  return (
    <Form form={form}>
      <Card
        id="notifications"
        title={t("notifications.title")}
        text={t("notifications.settingsText")}
        acts={<SaveButton busy={form.busy} />}
      >
        <div className="checks">
          {mutableTopics.filter(isOffered).map((topic) => (
            <CheckField
              key={topic}
              name={`notify-${topic}`}
              label={t(`notifications.topics.${topic}`)}
              value={!wanted.muted.includes(topic)}
              onChange={(isOn) => {
                const isMuted = (each: MutableTopic) =>
                  each === topic ? !isOn : wanted.muted.includes(each);
                change({ muted: mutableTopics.filter(isMuted) });
              }}
            />
          ))}
        </div>
        {EnableMail && (
          <CheckField
            {...form.field("isMailed", "mailNotifications")}
            label={mail
              ? t("notifications.byMail", { address: mail })
              : t("notifications.byMailOff")}
            hint={mail ? t("notifications.byMailHint") : t("notifications.noAddress")}
            value={wanted.isMailed && mail !== ""}
            disabled={mail === ""}
          />
        )}
      </Card>
    </Form>
  );
}
