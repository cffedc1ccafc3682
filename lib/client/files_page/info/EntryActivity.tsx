import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { FormError } from "../../../../components/Fields.tsx";
import type { EntryPath } from "../../../shared/path.ts";
import type { EntryHistory } from "../../../shared/schemas/audit.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { formatExact, formatRelative } from "../../base/core/format.ts";
import { useApi } from "../../base/core/use_site.ts";

/** The history of an entry, loaded once this part of its details is opened. */
export function EntryActivity({ entry }: { entry: EntryPath }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("activity.title")}</summary>
      {isOpen && <Events entry={entry} />}
    </details>
  );
}

function Events({ entry }: { entry: EntryPath }) {
  const { t, i18n: { language } } = useTranslation();
  const api = useApi();
  const [history, setHistory] = useState<EntryHistory | null>(null);
  const [complaint, setComplaint] = useState("");
  useEffect(() => {
    const leaving = new AbortController();
    const call = { signal: leaving.signal };
    void api.calls.json("GET /api/history/{path}", { params: { path: entry }, ...call }).then(
      (answer) => {
        if (answer.ok) setHistory(answer.value);
        else if (answer.code !== "aborted") setComplaint(reasonOf(t, answer));
      },
    );
    return () => leaving.abort();
  }, [entry]);
  return (
    <div aria-busy={history === null && complaint === ""}>
      <FormError text={complaint} />
      {history?.events.length === 0 && <p>{t("activity.none")}</p>}
      <ul>
        {history?.events.map(({ time, action, user, from, to, above }) => {
          const facts = [
            user ?? t("activity.visitor"),
            ...from === null ? [] : [t("activity.from", { path: from })],
            ...to === null ? [] : [t("activity.to", { path: to })],
            ...above ? [t("activity.above")] : [],
          ];
          return (
            <li className="info__event" key={time + action}>
              {t(`activity.did.${action}`)}
              <small dir="auto">
                {facts.join(" · ")}
                {" · "}
                <time dateTime={time} title={formatExact(time, language)}>
                  {formatRelative(time, language)}
                </time>
              </small>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
