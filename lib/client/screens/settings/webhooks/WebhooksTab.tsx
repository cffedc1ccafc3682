import { Plus } from "lucide";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { Card } from "../../../../../components/Card.tsx";
import type { Clock } from "../../../../shared/clock.ts";
import type { NewWebhook, WebhookInfo } from "../../../../shared/schemas/webhook.ts";
import { HowToStart } from "../site/FeatureState.tsx";
import { WebhookCard } from "./WebhookCard.tsx";
import { NewSecretNote, WebhookForm } from "./WebhookForm.tsx";

interface WebhooksTabProps {
  /** Null while the server sends none. */
  webhooks: WebhookInfo[] | null;
  clock: Clock;
}

/** The webhooks; where the server sends none, how they are turned on. */
export function WebhooksTab({ webhooks, clock }: WebhooksTabProps) {
  const { t } = useTranslation();
  if (webhooks) return <WebhookList webhooks={webhooks} clock={clock} />;
  return (
    <Card id="webhooks" title={t("webhooks.title")} text={t("webhooks.text")}>
      <HowToStart name="webhooks" />
    </Card>
  );
}

interface WebhookListProps {
  webhooks: WebhookInfo[];
  clock: Clock;
}

/** The webhooks: added, and how the deliveries of each go. */
function WebhookList({ webhooks, clock }: WebhookListProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(webhooks);
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<NewWebhook | null>(null);

  const take = ({ secret, ...webhook }: NewWebhook) => {
    setShown((before) => [...before, webhook]);
    setMade({ ...webhook, secret });
    setAdding(false);
  };
  const change = (changed: WebhookInfo) => {
    setShown((before) => before.map((each) => each.id === changed.id ? changed : each));
  };
  const forget = (id: string) => {
    setShown((before) => before.filter((each) => each.id !== id));
    if (made?.id === id) setMade(null);
  };

  return (
    <>
      <Card
        id="webhooks"
        title={t("webhooks.title")}
        text={t("webhooks.text")}
        acts={!isAdding && (
          <Button
            glyph={Plus}
            onClick={() => {
              setMade(null);
              setAdding(true);
            }}
          >
            {t("webhooks.add")}
          </Button>
        )}
      >
        {made && <NewSecretNote secret={made.secret} />}
        {isAdding && <WebhookForm onMade={take} onCancel={() => setAdding(false)} />}
      </Card>
      {shown.map((webhook) => (
        <WebhookCard
          key={webhook.id}
          webhook={webhook}
          clock={clock}
          onChange={change}
          onRenewed={(webhook) => {
            change(webhook);
            // Its former secret is not to be copied any more.
            if (made?.id === webhook.id) setMade(null);
          }}
          onGone={() => forget(webhook.id)}
        />
      ))}
    </>
  );
}
