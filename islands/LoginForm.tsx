import { CircleAlert, Eye, EyeOff } from "lucide";
import { useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../components/Button.tsx";
import { Icon } from "../components/Icon.tsx";
import { TextField } from "../components/TextField.tsx";
import { useApi } from "../lib/client/use_site.ts";
import type { Failure } from "../lib/client/result.ts";
import { useTranslation } from "../lib/i18n/use_translation.ts";
import { formatWait } from "../lib/client/format_wait.ts";

interface LoginFormProps {
  /** Where to go once signed in: an address of this site, checked by the server. */
  next: string;
}

/** Asks for name and password. */
export function LoginForm({ next }: LoginFormProps) {
  const { t, language } = useTranslation();
  const api = useApi();
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const submit = async () => {
    if (!form.current || busy) return;
    const typed = new FormData(form.current);
    setBusy(true);
    setFailure(null);
    const answer = await api.signIn({
      username: String(typed.get("username")),
      password: String(typed.get("password")),
    });
    if (answer.ok) return location.assign(next);
    setBusy(false);
    setFailure(answer);
    form.current.querySelector<HTMLInputElement>("[name=password]")?.select();
  };

  // Before the island wakes nothing is there to take the form: the button does not send it yet.
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);

  return (
    <form
      ref={form}
      className="login"
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div role="alert">
        {failure && (
          <p className="login__error">
            <Icon glyph={CircleAlert} />
            {complaint()}
          </p>
        )}
      </div>
      <TextField
        name="username"
        label={t("login.username")}
        autoComplete="username"
        autoCapitalize="none"
        spellcheck={false}
        required
        autofocus
      />
      <TextField
        name="password"
        label={t("login.password")}
        type={shown ? "text" : "password"}
        autoComplete="current-password"
        required
        end={
          <IconButton
            label={t(shown ? "login.hidePassword" : "login.showPassword")}
            glyph={shown ? EyeOff : Eye}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          />
        }
      />
      <Button
        className="login__submit"
        type={ready ? "submit" : "button"}
        look="primary"
        wide
        aria-busy={busy}
      >
        {busy ? <span className="spinner" aria-label={t("login.busy")} /> : t("login.submit")}
      </Button>
    </form>
  );

  function complaint(): string {
    if (failure?.code === "offline") return t("status.offlineTitle");
    if (failure?.code === "throttled") {
      return t("login.throttled", { when: formatWait(failure.retryAfter ?? 60, language) });
    }
    return t("login.wrong");
  }
}
