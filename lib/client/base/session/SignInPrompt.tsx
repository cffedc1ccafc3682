import { useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { throttledText } from "../core/format_details.ts";
import { usePage } from "../core/page.ts";
import type { PageProvider } from "../../../shared/api_types.ts";
import type { Failure } from "../../../shared/result.ts";
import type { PasskeyAnswer } from "../../../shared/schemas/passkeys.ts";
import { UsernameField } from "./AuthFields.tsx";
import { CodeField } from "./CodeField.tsx";
import type { Accepted } from "./use_auth_form.ts";
import { loginHref, providerHref } from "./session.ts";
import { useApi, useSession } from "../core/use_site.ts";
import { Button } from "../../../../components/Button.tsx";
import { FormError, TextField } from "../../../../components/Fields.tsx";
import { Spinner } from "../../../../components/Icon.tsx";

/**
 * A dialog to sign in again without leaving the page. It cannot be closed: every call behind it
 * would be refused.
 */
export function SignInPrompt() {
  const { t, i18n: { language } } = useTranslation();
  const { config } = usePage().data;
  const api = useApi();
  const session = useSession();
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [accepted, setAccepted] = useState<Accepted | null>(null);
  // At once: a key that is pressed before it would reach the page below.
  useLayoutEffect(() => dialog.current?.showModal(), []);

  const submit = async (passkey?: PasskeyAnswer) => {
    if (!form.current || busy) return;
    const typed = new FormData(form.current);
    setBusy(true);
    setFailure(null);
    const credentials = accepted?.typed ?? {
      username: String(typed.get("username")),
      password: String(typed.get("password")),
    };
    const code = accepted && !passkey ? String(typed.get("code")).trim() : undefined;
    const answer = await api.signIn({ ...credentials, code, passkey });
    setBusy(false);
    if (answer.ok) return;
    if (answer.code === "second_factor_required") {
      return setAccepted({ typed: credentials, methods: answer.factors ?? [] });
    }
    setFailure(answer);
    form.current?.querySelector<HTMLInputElement>("[name=password]")?.select();
  };
  const asksHere = !config.ReCaptcha && !config.Provider?.Only;
  const complaint = (why: Failure) => {
    if (why.code === "throttled") return throttledText(t, language, why.retryAfter);
    if (why.code !== "wrong_credentials") return t("status.offlineTitle");
    return t(accepted ? "factors.wrongCode" : "login.wrong");
  };

  return (
    <dialog
      ref={dialog}
      className="prompt"
      aria-labelledby="sign-in-title"
      onCancel={(event) => event.preventDefault()}
      // Chromium closes the dialog on a second Escape even if `cancel` is prevented: reopen it.
      onClose={() => dialog.current?.isConnected && dialog.current.showModal()}
    >
      <form
        ref={form}
        className="prompt__form"
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="prompt__head">
          <h2 className="prompt__title" id="sign-in-title">{t("login.againTitle")}</h2>
          <p className="prompt__text">{t("login.againText")}</p>
        </div>
        {accepted
          ? <CodeField methods={accepted.methods} onPasskey={(passkey) => void submit(passkey)} />
          : asksHere && <CredentialFields username={session.user.peek()?.username} />}
        <FormError text={failure ? complaint(failure) : undefined} />
        <div className="prompt__acts">
          <a className="button" href={loginHref(config.BaseURL)}>{t("login.leave")}</a>
          {config.Provider && <ProviderLink base={config.BaseURL} provider={config.Provider} />}
          {!config.Provider?.Only && config.ReCaptcha && <SignInLink base={config.BaseURL} />}
          {asksHere && (
            <Button type="submit" variant="primary" aria-busy={busy}>
              {busy ? <Spinner label={t("login.busy")} /> : t("login.submit")}
            </Button>
          )}
        </div>
      </form>
    </dialog>
  );
}

function CredentialFields({ username }: { username?: string }) {
  const { t } = useTranslation();
  return (
    <>
      <UsernameField defaultValue={username} />
      <TextField
        name="password"
        label={t("login.password")}
        type="password"
        autoComplete="current-password"
        required
        autofocus
      />
    </>
  );
}

/** Opens the provider beside this page, which goes on once its user has signed in again. */
function ProviderLink(
  { base, provider: { Name, Only } }: { base: string; provider: PageProvider },
) {
  const { t } = useTranslation();
  return (
    <a
      className={`button ${Only ? "button--primary" : ""}`}
      href={providerHref(base, `${base}/files/`)}
      target="_blank"
      rel="noopener"
      autofocus={Only}
    >
      {t("external.signIn", { name: Name })}
    </a>
  );
}

/** A captcha can only be solved on the sign-in page, which leads back to this page. */
function SignInLink({ base }: { base: string }) {
  const { t } = useTranslation();
  const here = location.pathname + location.search;
  return (
    <a
      className="button button--primary"
      href={loginHref(base, here)}
      target="_blank"
      rel="noopener"
      autofocus
    >
      {t("login.submit")}
    </a>
  );
}
