import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { FormError, TextField } from "../../../../components/Fields.tsx";
import { Logo, Spinner } from "../../../../components/Icon.tsx";
import type { OpenedInvite } from "../../../shared/schemas/invite.ts";
import type { Result } from "../../../shared/result.ts";
import { usePage } from "../core/page.ts";
import { useApi } from "../core/use_site.ts";
import { typedIn, useForm } from "../ui/use_form.ts";
import { useReason } from "../ui/use_reason.ts";
import { UsernameField } from "./AuthFields.tsx";

type State = "opening" | "gone" | "done" | OpenedInvite;

/** The page of a link that an administrator has handed out. */
export function InvitePage() {
  const { t } = useTranslation();
  const reason = useReason();
  const { Name, BaseURL, MinimumPasswordLength } = usePage().data.config;
  const { calls } = useApi();
  const [token, setToken] = useState("");
  const [state, setState] = useState<State>("opening");
  const [isReset, setReset] = useState(false);
  const onward = useRef<HTMLAnchorElement>(null);
  const form = useForm({ username: "", password: "", again: "" }, {
    fields: { invalid_password: "password", exists: "username", invalid_name: "username" },
    check: ({ password, again }) => password === again ? null : ["again", t("login.dontMatch")],
    reason: (why) => why.code === "exists" ? t("login.taken") : reason(why),
    save: async ({ again: _, ...typed }) =>
      orGone(
        await calls.done("PUT /api/public/invite", { json: { token, ...typed }, anonymous: true }),
      ),
    done: () => setState("done"),
  });
  const orGone = <T,>(answer: Result<T>): Result<T> => {
    if (!answer.ok && answer.code === "not_found") setState("gone");
    return answer;
  };
  useEffect(() => {
    const secret = location.hash.slice(1);
    setToken(secret);
    const call = { json: { token: secret }, anonymous: true } as const;
    void form.send(async () => orGone(await calls.json("POST /api/public/invite", call)))
      .then((answer) => {
        if (!answer.ok) return;
        setState(answer.value);
        setReset(answer.value.kind === "reset");
      });
  }, []);
  // The form had the focus, and is gone.
  useEffect(() => {
    if (state === "done") onward.current?.focus();
  }, [state]);

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
      <FormError text={state === "gone" ? undefined : form.error} />
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
            if (!form.busy) void form.submit(typedIn(event.currentTarget, form.values));
          }}
        >
          <UsernameField
            complaint={form.complaintOf("username")}
            readOnly={opened.username !== null}
            defaultValue={opened.username ?? ""}
            autofocus={opened.username === null}
          />
          <TextField
            name="password"
            type="password"
            label={t("login.password")}
            hint={t("settings.passwordHint", { length: MinimumPasswordLength })}
            complaint={form.complaintOf("password")}
            autoComplete="new-password"
            required
            autofocus={opened.username !== null}
          />
          <TextField
            name="again"
            type="password"
            label={t("login.passwordAgain")}
            complaint={form.complaintOf("again")}
            autoComplete="new-password"
            required
          />
          <Button
            className="login__submit"
            type="submit"
            variant="primary"
            wide
            aria-busy={form.busy}
          >
            {t("buttons.save")}
          </Button>
        </form>
      )}
    </>
  );
}
