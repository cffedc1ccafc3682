import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { FormError, TextField } from "../../../../components/Fields.tsx";
import { Logo, Spinner } from "../../../../components/Icon.tsx";
import type { OpenedInvite } from "../../../shared/schemas/invite.ts";
import type { Failure } from "../../../shared/result.ts";
import { reasonOf } from "../api/reasons.ts";
import { throttledText } from "../core/format_details.ts";
import { usePage } from "../core/page.ts";
import { useApi } from "../core/use_site.ts";
import { UsernameField } from "./AuthFields.tsx";

type State = "opening" | "gone" | "done" | OpenedInvite;

/** The page of a link that an administrator has handed out. */
export function InvitePage() {
  const { t, i18n: { language } } = useTranslation();
  const { Name, BaseURL, MinimumPasswordLength } = usePage().data.config;
  const { calls } = useApi();
  const [token, setToken] = useState("");
  const [state, setState] = useState<State>("opening");
  const [isReset, setReset] = useState(false);
  const [complaint, setComplaint] = useState<{ field?: string; text: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const onward = useRef<HTMLAnchorElement>(null);
  const about = (field: string) => complaint?.field === field ? complaint.text : undefined;
  const refuse = (why: Failure) => {
    if (why.code === "not_found") return setState("gone");
    const field = why.code === "invalid_password"
      ? "password"
      : why.code === "exists" || why.code === "invalid_name"
      ? "username"
      : undefined;
    const text = why.code === "throttled"
      ? throttledText(t, language, why.retryAfter)
      : why.code === "exists"
      ? t("login.taken")
      : reasonOf(t, why);
    setComplaint({ field, text });
  };
  useEffect(() => {
    const secret = location.hash.slice(1);
    setToken(secret);
    const call = { json: { token: secret }, anonymous: true } as const;
    void calls.json("POST /api/public/invite", call).then((answer) => {
      if (!answer.ok) return refuse(answer);
      setState(answer.value);
      setReset(answer.value.kind === "reset");
    });
  }, []);

  useEffect(() => {
    if (complaint?.field) document.getElementById(`field-${complaint.field}`)?.focus();
  }, [complaint]);
  // The form had the focus, and is gone.
  useEffect(() => {
    if (state === "done") onward.current?.focus();
  }, [state]);

  const send = async (form: HTMLFormElement) => {
    const typed = new FormData(form);
    const text = (name: string) => String(typed.get(name) ?? "");
    if (text("password") !== text("again")) {
      return setComplaint({ field: "again", text: t("login.dontMatch") });
    }
    setBusy(true);
    setComplaint(null);
    const json = { token, username: text("username"), password: text("password") };
    const call = { json, anonymous: true } as const;
    const answer = await calls.done("PUT /api/public/invite", call);
    setBusy(false);
    if (answer.ok) setState("done");
    else refuse(answer);
  };

  const opened = typeof state === "object" ? state : null;
  const title = state === "gone"
    ? t("invites.gone")
    : isReset
    ? t("invites.titleReset")
    : t("invites.title", { name: Name });
  return (
    <>
      <div className="welcome">
        <Logo />
        <h1 className="welcome__title">{title}</h1>
        <p className="card__text" role="status">
          {state === "opening" && <Spinner label={t("login.busy")} />}
          {state === "gone" && t("invites.goneText")}
          {state === "done" && t(isReset ? "invites.doneReset" : "invites.done")}
          {opened &&
            (isReset ? t("invites.textReset", { name: opened.username ?? "" }) : t("invites.text"))}
        </p>
      </div>
      <FormError text={complaint?.field ? undefined : complaint?.text} />
      {state === "done" && (
        <a
          ref={onward}
          className="button button--primary button--wide"
          href={`${BaseURL}/login`}
        >
          {t("invites.toSignIn")}
        </a>
      )}
      {opened && (
        <form
          className="login"
          method="post"
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) void send(event.currentTarget);
          }}
        >
          <UsernameField
            complaint={about("username")}
            readOnly={opened.username !== null}
            defaultValue={opened.username ?? ""}
            autofocus={opened.username === null}
          />
          <TextField
            name="password"
            type="password"
            label={t("login.password")}
            hint={t("settings.passwordHint", { length: MinimumPasswordLength })}
            complaint={about("password")}
            autoComplete="new-password"
            required
            autofocus={opened.username !== null}
          />
          <TextField
            name="again"
            type="password"
            label={t("login.passwordAgain")}
            complaint={about("again")}
            autoComplete="new-password"
            required
          />
          <Button className="login__submit" type="submit" variant="primary" wide aria-busy={busy}>
            {t("buttons.save")}
          </Button>
        </form>
      )}
    </>
  );
}
