import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { CheckField, TextField } from "../../../../../components/Fields.tsx";
import {
  maxWebhookNameLength,
  maxWebhookUrlLength,
  type WebhookEvent,
  webhookEvents,
} from "../../../../shared/schemas/choices/webhook_choices.ts";
import type { NewWebhook, WebhookInfo } from "../../../../shared/schemas/webhook.ts";
import { useAccount } from "../account_api.ts";
import { Form, SaveButton } from "../Form.tsx";
import { NewSecretField } from "../NewSecretField.tsx";
import { useSending } from "../use_sending.ts";

interface WebhookFormProps {
  /** The webhook that is changed; absent for a new one. */
  webhook?: WebhookInfo;
  onMade?: (webhook: NewWebhook) => void;
  onChanged?: (webhook: WebhookInfo) => void;
  onCancel: () => void;
}

const usual: readonly WebhookEvent[] = ["writes", "shares", "requests"];

/** Asks where events go, and which; the password is asked for on sending. */
export function WebhookForm({ webhook, onMade, onChanged, onCancel }: WebhookFormProps) {
  const { t } = useTranslation();
  const account = useAccount();
  const sending = useSending();
  const [name, setName] = useState(webhook?.name ?? "");
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [path, setPath] = useState(webhook && webhook.path !== "/" ? webhook.path : "");
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? usual);
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true);
  // Several forms may be open.
  const id = `webhook${webhook?.id ?? "New"}`;

  const send = async () => {
    if (name.trim() === "") return sending.refuse(`${id}Name`, t("tokens.nameMissing"));
    if (!/^https?:\/\/./.test(url)) return sending.refuse(`${id}Url`, t("webhooks.urlFault"));
    if (events.length === 0) return sending.refuse(`${id}signins`, t("webhooks.eventsMissing"));
    const draft = { name, url, events: [...events], path: path.trim() || "/", enabled };
    const fields = {
      invalid_option: `${id}Url`,
      invalid_path: `${id}Path`,
      invalid_body: `${id}Name`,
      exists: `${id}Name`,
    };
    if (webhook) {
      const answer = await sending.send(
        (password) => account.changeWebhook(webhook.id, draft, password),
        { fields },
      );
      if (answer.ok) onChanged?.(answer.value);
      return;
    }
    const answer = await sending.send(
      (password) => account.addWebhook(draft, password),
      { fields },
    );
    if (answer.ok) onMade?.(answer.value);
  };
  const urlFault = sending.complaint?.field === `${id}Url` ? t("webhooks.urlFault") : undefined;

  return (
    <Form
      className="token-form"
      busy={sending.busy}
      onSend={() => void send()}
      opened
    >
      <div className="fields">
        <TextField
          name={`${id}Name`}
          label={t("tokens.name")}
          maxLength={maxWebhookNameLength}
          autoComplete="off"
          value={name}
          complaint={sending.about(`${id}Name`)}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <TextField
          name={`${id}Url`}
          label={t("webhooks.url")}
          hint={t("webhooks.urlHint")}
          verbatim
          maxLength={maxWebhookUrlLength}
          autoComplete="off"
          placeholder="https://"
          value={url}
          complaint={urlFault}
          onInput={(event) => setUrl(event.currentTarget.value.trim())}
        />
        <TextField
          name={`${id}Path`}
          label={t("tokens.folder")}
          hint={t("webhooks.pathHint")}
          verbatim
          placeholder="/"
          value={path}
          complaint={sending.about(`${id}Path`)}
          onInput={(event) => setPath(event.currentTarget.value)}
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
              checked={events.includes(event)}
              onChange={(checked) =>
                setEvents(
                  webhookEvents.filter((each) => each === event ? checked : events.includes(each)),
                )}
            />
          ))}
        </div>
        {events.length === 0 && <p className="field__hint">{t("webhooks.eventsMissing")}</p>}
      </fieldset>
      <CheckField
        name={`${id}Enabled`}
        label={t("webhooks.enabled")}
        checked={enabled}
        onChange={setEnabled}
      />
      <div className="card__acts">
        <Button onClick={onCancel}>{t("buttons.cancel")}</Button>
        <SaveButton busy={sending.busy} />
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
