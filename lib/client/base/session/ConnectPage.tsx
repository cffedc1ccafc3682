import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { CheckField, FormError, SelectField, TextField } from "../../../../components/Fields.tsx";
import { Logo } from "../../../../components/Icon.tsx";
import { directionOf } from "../../../shared/i18n/locales.ts";
import type { AskingApp } from "../../../shared/page_data.ts";
import type { Result } from "../../../shared/result.ts";
import { isolated } from "../core/format.ts";
import { useHydrated, usePage } from "../core/page.ts";
import { useApi } from "../core/use_site.ts";
import { useForm } from "../ui/use_form.ts";
import { useReason } from "../ui/use_reason.ts";

/** Properties of {@linkcode ConnectPage}. */
export interface ConnectPageProps {
  /** The app that asks; null when none waits for an answer. */
  app: AskingApp | null;
}

/** How a question ended; `gone` when no app waits for the answer. */
type Outcome = "connected" | "refused" | "gone";

/**
 * The question of a sync app whether it may use its user's files. A stranger may have begun it and
 * sent the link, so the page says which app has asked, and from where, and grants nothing without a
 * click.
 */
export function ConnectPage({ app }: ConnectPageProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  return app && outcome === null
    ? <Question app={app} onEnded={setOutcome} />
    : <OutcomeNote outcome={outcome} />;
}

interface QuestionProps {
  app: AskingApp;
  onEnded: (outcome: Outcome) => void;
}

function Question({ app, onEnded }: QuestionProps) {
  const { t } = useTranslation();
  const { flow, client, address, isNear, mayWrite, mayShare } = app;
  const { user, locale } = usePage().data;
  // In a text from right to left, the parts of a name or an address would change places.
  const own = (text: string) => directionOf(locale) === "rtl" ? isolated(text) : text;
  const { calls } = useApi();
  const hydrated = useHydrated();
  const reason = useReason();
  const [asksPassword, setAsksPassword] = useState(false);
  const params = { flow };
  const unlessGone = <T,>(answer: Result<T>): Result<T> => {
    if (!answer.ok && answer.code === "not_found") onEnded("gone");
    return answer;
  };
  const asked = {
    ...{ rights: mayWrite ? "write" : "read", share: mayShare },
    ...{ folder: "", password: "" },
  };
  const form = useForm(asked, {
    fields: { forbidden: "folder", invalid_path: "folder", wrong_credentials: "password" },
    reason: (why) =>
      why.code === "wrong_credentials" && !asksPassword ? t("apps.passwordNeeded") : reason(why),
    async save({ rights, share, folder, password }) {
      const json = {
        write: rights === "write",
        share,
        folder: folder.trim() === "" ? null : folder,
        current_password: password === "" ? undefined : password,
      };
      const answer = await calls.done("POST /api/tokens/flows/{flow}", { params, json });
      if (!answer.ok && answer.code === "wrong_credentials") setAsksPassword(true);
      return unlessGone(answer);
    },
    done: () => onEnded("connected"),
  });
  const refuse = async () => {
    const call = () => calls.done("DELETE /api/tokens/flows/{flow}", { params });
    if ((await form.send(async () => unlessGone(await call()))).ok) onEnded("refused");
  };

  return (
    <>
      <div className="welcome">
        <Logo />
        <h1 className="welcome__title">{t("apps.title", { app: own(client) })}</h1>
        <p className="card__text">{t("apps.as", { name: own(user?.username ?? "") })}</p>
      </div>
      <form
        className="login"
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          if (!form.busy) void form.submit();
        }}
      >
        <FormError text={form.error} />
        <SelectField
          {...form.field("rights")}
          label={t("tokens.rights")}
          options={[
            ["read", t("tokens.read")],
            ...mayWrite ? [["write", t("tokens.write")] as const] : [],
          ]}
        />
        <TextField
          {...form.field("folder")}
          label={t("tokens.folder")}
          hint={t("apps.folderHint")}
          verbatim
          placeholder="/"
        />
        {mayShare && <CheckField {...form.field("share")} label={t("tokens.share")} />}
        {asksPassword && (
          <TextField
            {...form.field("password")}
            type="password"
            label={t("prompts.currentPassword")}
            autoComplete="current-password"
            required
          />
        )}
        <div className={isNear ? "connect__origin" : "connect__origin connect__origin--far"}>
          <p>{t(isNear ? "apps.from" : "apps.fromElsewhere", { address: own(address) })}</p>
          <p>{t("apps.warning")}</p>
        </div>
        <Button
          className="login__submit"
          type={hydrated ? "submit" : "button"}
          variant="primary"
          wide
          aria-busy={form.busy}
        >
          {t("apps.grant")}
        </Button>
        <Button wide onClick={() => void (form.busy || refuse())}>{t("buttons.cancel")}</Button>
      </form>
    </>
  );
}

/** What became of the question; null for a page that came without one. */
function OutcomeNote({ outcome }: { outcome: Outcome | null }) {
  const { t } = useTranslation();
  const title = useRef<HTMLHeadingElement>(null);
  const shown = outcome ?? "gone";
  // The form had the focus, and is gone.
  useEffect(() => outcome === null ? undefined : title.current?.focus(), []);
  return (
    <div className="welcome">
      <Logo />
      <h1 className="welcome__title" tabIndex={-1} ref={title}>{t(`apps.${shown}`)}</h1>
      <p className="card__text" role="status">{t(`apps.${shown}Text`)}</p>
    </div>
  );
}
