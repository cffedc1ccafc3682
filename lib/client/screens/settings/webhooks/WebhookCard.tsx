import { KeyRound, Pencil, Send, Trash2 } from "lucide";
import { useState } from "react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { Card } from "../../../../../components/Card.tsx";
import type { Clock } from "../../../../shared/clock.ts";
import type { WebhookDelivery, WebhookInfo } from "../../../../shared/schemas/webhook.ts";
import { formatExact, formatRelative } from "../../../base/core/format.ts";
import { useClock } from "../../../base/core/use_clock.ts";
import { usePrompts } from "../../../base/core/use_site.ts";
import { useAccount } from "../account_api.ts";
import { useSending } from "../use_sending.ts";
import { NewSecretNote, WebhookForm } from "./WebhookForm.tsx";

/** The deliveries that are listed. */
const MOST_SHOWN = 20;

interface WebhookCardProps {
  webhook: WebhookInfo;
  clock: Clock;
  onChange: (webhook: WebhookInfo) => void;
  /** It has a new secret, which the card shows. */
  onRenewed: (webhook: WebhookInfo) => void;
  onGone: () => void;
}

/** One webhook: its events, its deliveries, and its actions. */
export function WebhookCard({ webhook, clock, onChange, onRenewed, onGone }: WebhookCardProps) {
  const { t } = useTranslation();
  const account = useAccount();
  const prompts = usePrompts();
  const sending = useSending();
  const [isChanging, setChanging] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { id, name, url, state, events, path } = webhook;

  const test = async () => {
    if (sending.busy) return;
    const answer = await sending.send(() => account.testWebhook(id), { password: "never" });
    if (answer.ok) onChange(answer.value);
  };
  const renew = async () => {
    const asked = {
      title: t("webhooks.renewSure", { name }),
      text: t("webhooks.renewText"),
      act: t("webhooks.renew"),
    };
    if (!await prompts.open("confirm", asked)) return;
    const answer = await sending.send((password) => account.renewWebhookSecret(id, password));
    if (!answer.ok) return;
    const { secret: made, ...changed } = answer.value;
    setSecret(made);
    onRenewed(changed);
  };
  const remove = async () => {
    const asked = { title: t("webhooks.sure", { name }), act: t("buttons.delete") };
    if (!await prompts.open("confirm", asked)) return;
    const answer = await sending.send((password) => account.removeWebhook(id, password));
    if (answer.ok || answer.status === 404) onGone();
  };

  return (
    <Card
      id={`webhook-${id}`}
      title={name}
      aside={state !== "on" && (
        <span className={state === "off" ? "badge" : "badge badge--danger"}>
          {t(`webhooks.states.${state}`)}
        </span>
      )}
      acts={!isChanging && (
        <>
          <Button glyph={Trash2} onClick={() => void remove()}>{t("buttons.delete")}</Button>
          <Button glyph={KeyRound} onClick={() => void renew()}>{t("webhooks.renew")}</Button>
          <Button glyph={Pencil} onClick={() => setChanging(true)}>{t("webhooks.edit")}</Button>
          <Button
            glyph={Send}
            aria-busy={sending.busy}
            onClick={() => void test()}
          >
            {t("webhooks.test")}
          </Button>
        </>
      )}
    >
      {isChanging
        ? (
          <WebhookForm
            webhook={webhook}
            onChanged={(changed) => {
              setChanging(false);
              onChange(changed);
            }}
            onCancel={() => setChanging(false)}
          />
        )
        : (
          <div className="webhook">
            <p className="webhook__url" dir="ltr">{url}</p>
            <p className="sessions__facts">
              {events.map((event) => <span key={event}>{t(`webhooks.kinds.${event}`)}</span>)}
              {path !== "/" && <bdi>{path}</bdi>}
            </p>
            <DeliveryStatus webhook={webhook} clock={clock} />
            {secret !== null && <NewSecretNote secret={secret} />}
          </div>
        )}
      <Deliveries deliveries={webhook.deliveries} clock={clock} />
    </Card>
  );
}

interface DeliveryStatusProps {
  webhook: WebhookInfo;
  clock: Clock;
}

/** The numbers of waiting and dropped events, and since when none arrives. */
function DeliveryStatus(
  { webhook: { queued, dropped, failingSince }, clock }: DeliveryStatusProps,
) {
  const { t, i18n: { language } } = useTranslation();
  const { timeZone } = useClock(clock);
  const notes = [
    ...failingSince === null
      ? []
      : [t("webhooks.failing", { when: formatExact(failingSince, language, timeZone) })],
    ...queued > 0 ? [t("webhooks.queued", { amount: queued })] : [],
    ...dropped > 0 ? [t("webhooks.dropped", { amount: dropped })] : [],
  ];
  return (
    <div role="status" className="webhook">
      {notes.map((words) => <p key={words} className="card__notice">{words}</p>)}
    </div>
  );
}

interface DeliveriesProps {
  deliveries: WebhookDelivery[];
  clock: Clock;
}

/** The last attempts. */
function Deliveries({ deliveries, clock }: DeliveriesProps) {
  const { t, i18n: { language } } = useTranslation();
  const { now } = useClock(clock);
  if (deliveries.length === 0) return <p className="field__hint">{t("webhooks.none")}</p>;
  const columns = [
    ...[t("webhooks.event"), t("webhooks.when"), t("webhooks.result"), t("webhooks.next")],
  ] as const;
  return (
    <details className="fold">
      <summary>
        {t("webhooks.last")}: {resultOf(t, deliveries[0])}
      </summary>
      <table className="table">
        <thead>
          <tr>{columns.map((words) => <th key={words} scope="col">{words}</th>)}</tr>
        </thead>
        <tbody>
          {deliveries.slice(0, MOST_SHOWN).map((each) => (
            <tr key={`${each.id} ${each.attempt}`}>
              <td className="table__main">
                <code>{each.type}</code>
              </td>
              <td data-label={columns[1]}>{formatRelative(each.at, language, now)}</td>
              <td data-label={columns[2]}>{resultOf(t, each)}</td>
              <td data-label={columns[3]}>
                {each.next === null ? "–" : formatRelative(each.next, language, now)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function resultOf(t: TFunction, delivery: WebhookDelivery | undefined): string {
  if (!delivery) return "";
  const { ok, status, fault } = delivery;
  if (ok) return t("webhooks.arrived");
  return fault === null ? `HTTP ${status}` : t(`webhooks.faults.${fault}`);
}
