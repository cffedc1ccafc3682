import { Check, File, Folder, X } from "lucide";
import { useEffect, useRef, useState } from "react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { FormError } from "../../../../../components/Fields.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import { childOf, type EntryPath, ROOT } from "../../../../shared/path.ts";
import type { AccessAnswer, AccessReason } from "../../../../shared/schemas/access.ts";
import { reasonOf } from "../../../base/api/reasons.ts";
import { isolated } from "../../../base/core/format.ts";
import { useAccount } from "../account_api.ts";

interface AccessCheckProps {
  /** The user whose access is checked. */
  user: number;
  /** The typed path, "" for the root of the scope; null for an invalid one. */
  path: EntryPath | "" | null;
  /** Called with a folder that was chosen in the listing. */
  onPath: (path: EntryPath) => void;
  /** Changes when the check was asked for elsewhere. */
  asked: number;
}

/**
 * The permissions of a user for an entry with their reasons, as the server answers for what is
 * saved, and the folder as the user sees it.
 */
export function AccessCheck({ user, path, onPath, asked }: AccessCheckProps) {
  const { t } = useTranslation();
  const account = useAccount();
  const [answer, setAnswer] = useState<AccessAnswer | null>(null);
  const [complaint, setComplaint] = useState("");
  const [busy, setBusy] = useState(false);
  const latest = useRef<AbortController | null>(null);
  useEffect(() => () => latest.current?.abort(), []);

  const ask = async (of: EntryPath) => {
    latest.current?.abort();
    const leaving = latest.current = new AbortController();
    setBusy(true);
    const told = await account.access(user, of, leaving.signal);
    if (latest.current !== leaving) return;
    setBusy(false);
    setAnswer(told.ok ? told.value : null);
    setComplaint(told.ok ? "" : reasonOf(t, told));
  };
  const check = () => {
    if (path !== null) void ask(path || ROOT);
  };
  useEffect(() => {
    if (asked > 0) check();
  }, [asked]);
  const enter = (folder: EntryPath) => {
    onPath(folder);
    void ask(folder);
  };

  return (
    <div className="access" aria-busy={busy}>
      <div className="access__ask">
        <Button disabled={path === null} onClick={check}>{t("access.ask")}</Button>
        <p className="field__hint">{t("access.hint")}</p>
      </div>
      <FormError text={complaint} />
      <p className="unseen" role="status">
        {answer && t("access.title", { name: isolated(answer.path) })}
      </p>
      {answer && <Decisions answer={answer} />}
      {answer?.entries && <Seen answer={answer} entries={answer.entries} onEnter={enter} />}
    </div>
  );
}

function Decisions({ answer: { path, actions } }: { answer: AccessAnswer }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="access-can">
      <h4 className="field__label" id="access-can">
        {t("access.title", { name: isolated(path) })}
      </h4>
      <ul className="access__list">
        {actions.map(({ action, allowed, reasons }) => (
          <li key={action} className="access__line" data-allowed={allowed}>
            <Icon glyph={allowed ? Check : X} />
            <span>
              {t(`access.actions.${action}`)}
              <span className="unseen">
                {" "}
                {t(allowed ? "settings.rules.allowed" : "settings.rules.denied")}
              </span>
              {reasons.length > 0 && <Reasons reasons={reasons} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface SeenProps {
  answer: AccessAnswer;
  entries: NonNullable<AccessAnswer["entries"]>;
  onEnter: (folder: EntryPath) => void;
}

function Seen({ answer: { path, more }, entries, onEnter }: SeenProps) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="access-seen">
      <h4 className="field__label" id="access-seen">{t("access.seen")}</h4>
      {entries.length === 0 && <p className="field__hint">{t("access.empty")}</p>}
      <ul
        className="access__list access__list--entries"
        aria-labelledby="access-seen"
        tabIndex={0}
      >
        {entries.map(({ name, isDir, reasons }) => (
          <li key={name} className="access__line" data-allowed={reasons.length === 0}>
            <Icon glyph={isDir ? Folder : File} />
            <span>
              {isDir
                ? (
                  <button
                    type="button"
                    className="access__folder"
                    onClick={() => onEnter(childOf(path as EntryPath, name))}
                  >
                    <bdi>{name}</bdi>
                  </button>
                )
                : <bdi>{name}</bdi>}
              {reasons.length > 0 && <Reasons reasons={reasons} />}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="field__hint">{t("access.more", { amount: more })}</p>}
    </section>
  );
}

function Reasons({ reasons }: { reasons: AccessReason[] }) {
  const { t } = useTranslation();
  return <small className="access__why">{reasons.map((each) => wordsFor(t, each)).join(" ")}
  </small>;
}

function wordsFor(t: TFunction, { kind, permission, rule, path }: AccessReason): string {
  if (kind === "permission") {
    const name = permission === null ? "" : t(`settings.permissions.${permission}`);
    return t("access.why.permission", { name });
  }
  if (kind === "rule") {
    const gaps = { place: rule?.place ?? 0, path: isolated(path ?? "/") };
    if (rule?.list === "group") {
      return t("access.why.ruleGroup", { ...gaps, name: isolated(rule.group ?? "") });
    }
    const isOwn = rule?.list === "user";
    return isOwn ? t("access.why.ruleUser", gaps) : t("access.why.ruleGlobal", gaps);
  }
  return t(`access.why.${kind}`);
}
