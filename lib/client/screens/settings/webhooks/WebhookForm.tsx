import { Button } from "../../../../../components/Button.tsx";
import { CheckField, TextField } from "../../../../../components/Fields.tsx";
import {
  maxWebhookNameLength,
  maxWebhookUrlLength,
  type WebhookEvent,
  webhookEvents,
} from "../../../../shared/schemas/choices/webhook_choices.ts";
import type { NewWebhook, WebhookDraft, WebhookInfo } from "../../../../shared/schemas/webhook.ts";
import { useTranslation } from "react-i18next";
import { useAccount } from "../account_api.ts";
import { Form, SaveButton } from "../Form.tsx";
import { NewSecretField } from "../NewSecretField.tsx";
import { useSettingsForm } from "../use_settings_form.ts";

interface WebhookFormProps {
  /** The webhook that is changed; absent for a new one. */
  webhook?: WebhookInfo;
  onMade?: (webhook: NewWebhook) => void;
  onChanged?: (webhook: WebhookInfo) => void;
  onCancel: () => void;
}

const usual: WebhookEvent[] = ["writes", "shares", "requests"];

/** Asks where events go, and which; the password is asked for on sending. */
export function WebhookForm({ webhook, onMade, onChanged, onCancel }: WebhookFormProps) {
  const { t } = useTranslation();
  const account = useAccount();
  // Several forms may be open.
  const id = `webhook${webhook?.id ?? "New"}`;
  const form = useSettingsForm<WebhookDraft, WebhookInfo | NewWebhook>({
    name: webhook?.name ?? "",
    url: webhook?.url ?? "",
    path: webhook && webhook.path !== "/" ? webhook.path : "",
    events: webhook?.events ?? usual,
    enabled: webhook?.enabled ?? true,
  }, {
    fields: { invalid_path: "path", exists: "name" },
    check({ name, url, events }) {
      if (name.trim() === "") return ["name", t("tokens.nameMissing")];
      if (!/^https?:\/\/./.test(url)) return ["url", t("webhooks.urlFault")];
      return events.length === 0 ? ["events", t("webhooks.eventsMissing")] : null;
    },
    async save(values, password) {
      const draft = { ...values, path: values.path.trim() || "/" };
      const answer = webhook
        ? await account.changeWebhook(webhook.id, draft, password)
        : await account.addWebhook(draft, password);
      if (!answer.ok && answer.code === "invalid_option") {
        form.refuse("url", t("webhooks.urlFault"));
      }
      return answer;
    },
    done(answer) {
      if ("secret" in answer) onMade?.(answer);
      else onChanged?.(answer);
    },
  });
  const { events } = form.values;

  return (
    <Form className="token-form" form={form} opened>
      <div className="fields">
        <TextField
          {...form.field("name", `${id}Name`)}
          label={t("tokens.name")}
          maxLength={maxWebhookNameLength}
          autoComplete="off"
        />
        <TextField
          {...form.field("url", `${id}Url`)}
          label={t("webhooks.url")}
          hint={t("webhooks.urlHint")}
          verbatim
          trim
          maxLength={maxWebhookUrlLength}
          placeholder="https://"
        />
        <TextField
          {...form.field("path", `${id}Path`)}
          label={t("tokens.folder")}
          hint={t("webhooks.pathHint")}
          verbatim
          placeholder="/"
        />
      </div>
      <fieldset className="field-group">
        <legend className="field__label">{t("webhooks.events")}</legend>
        <div className="checks">
          {webhookEvents.map((event) => (
            <CheckField
              key={event}
              name={id + event}
              label={t(`webhooks.kinds.${event}`)}
              value={events.includes(event)}
              onChange={(checked) => {
                const isWanted = (each: WebhookEvent) =>
                  each === event ? checked : events.includes(each);
                form.change({ events: webhookEvents.filter(isWanted) });
              }}
            />
          ))}
        </div>
        {events.length === 0 && <p className="field__hint">{t("webhooks.eventsMissing")}</p>}
      </fieldset>
      <CheckField {...form.field("enabled", `${id}Enabled`)} label={t("webhooks.enabled")} />
      <div className="card__acts">
        <Button onClick={onCancel}>{t("buttons.cancel")}</Button>
        <SaveButton busy={form.busy} />
      </div>
    </Form>
  );
}

/** Shows the secret of a new webhook, this once. */
export function NewSecretNote({ secret }: { secret: string }) {
  const { t } = useTranslation();
  return (
    <NewSecretField
      name="newSecret"
      secret={secret}
      label={t("webhooks.secret")}
      hint={t("webhooks.secretHint")}
      copyLabel={t("buttons.copyText", { what: t("webhooks.secret") })}
      copied={t("webhooks.copied")}
    />
  );
}
