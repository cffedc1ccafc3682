import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { FormError } from "../../../../../components/Fields.tsx";
import type { QuotaUsage, UserQuota } from "../../../../shared/schemas/quota.ts";
import { quotaWords, reasonOf } from "../../../base/api/reasons.ts";
import { useAccount } from "../account_api.ts";

/** The interval at which a count under way is asked for, in milliseconds. */
const EVERY_MS = 1_000;

/** The usage of each user with a quota, by id; empty until it is known. */
export function useQuotas(isWanted: boolean): ReadonlyMap<number, UserQuota> {
  const account = useAccount();
  const [quotas, setQuotas] = useState<ReadonlyMap<number, UserQuota>>(new Map());
  useEffect(() => {
    if (!isWanted) return;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      const answer = await account.quotas(leaving.signal);
      if (!answer.ok || leaving.signal.aborted) return;
      setQuotas(new Map(answer.value.map((each) => [each.id, each])));
      const isCounting = answer.value.some(({ usedBytes }) => usedBytes === null);
      if (isCounting) timer = setTimeout(() => void ask(), EVERY_MS);
    };
    void ask();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [isWanted]);
  return quotas;
}

/** The usage of one user, and the button to count it again. */
export function QuotaUse({ id }: { id: number }) {
  const { t, i18n: { language } } = useTranslation();
  const account = useAccount();
  const known = useQuotas(true).get(id);
  const [counted, setCounted] = useState<QuotaUsage | null>(null);
  const [complaint, setComplaint] = useState("");
  const [busy, setBusy] = useState(false);
  const usage = counted ?? known;

  const recount = async () => {
    setBusy(true);
    const answer = await account.recountQuota(id);
    setBusy(false);
    setComplaint(answer.ok ? "" : reasonOf(t, answer));
    if (answer.ok) setCounted(answer.value);
  };
  return (
    <section className="used" aria-labelledby="quota-used" aria-busy={busy}>
      <h3 className="field__label" id="quota-used">{t("quota.used")}</h3>
      <FormError text={complaint} />
      {usage && <p role="status">{quotaWords(t, usage, language)}</p>}
      <div className="used__rest">
        <Button aria-busy={busy} onClick={() => busy || void recount()}>
          {t("quota.recount")}
        </Button>
      </div>
    </section>
  );
}
