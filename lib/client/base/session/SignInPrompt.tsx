import { useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { throttledText } from "../core/format_details.ts";
import { usePage } from "../core/page.ts";
import type { PageProvider } from "../../../shared/page_data.ts";
import type { PasskeyAnswer } from "../../../shared/schemas/passkeys.ts";
import { UsernameField } from "./AuthFields.tsx";
import { CodeField } from "./CodeField.tsx";
import { noCredentials, useSignInSteps } from "./use_auth_form.ts";
import { loginHref, providerHref } from "./session.ts";
import { useSession } from "../core/use_site.ts";
import { useForm } from "../ui/use_form.ts";
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
  const session = useSession();
  const dialog = useRef<HTMLDialogElement>(null);
  const element = useRef<HTMLFormElement>(null);
  const { methods, signIn, typedIn } = useSignInSteps();
  const form = useForm(noCredentials, {
    save: signIn,
    reason(why) {
      if (why.code === "throttled") return throttledText(t, language, why.retryAfter);
      if (why.code !== "wrong_credentials") return t("status.offlineTitle");
      return t(methods ? "factors.wrongCode" : "login.wrong");
    },
    focus: () => element.current?.querySelector<HTMLInputElement>("[name=password]")?.select(),
  });
  // At once: a key that is pressed before it would reach the page below.
  useLayoutEffect(() => dialog.current?.showModal(), []);

  const submit = (passkey?: PasskeyAnswer) => {
    if (!element.current || form.busy) return;
    void form.submit(typedIn(element.current, form.values, passkey));
  };
  const asksHere = !config.ReCaptcha && !config.Provider?.Only;

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
        ref={element}
        className="prompt__form"
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="prompt__head">
          <h2 className="prompt__title" id="sign-in-title">{t("login.againTitle")}</h2>
          <p className="prompt__text">{t("login.againText")}</p>
        </div>
        {methods
          ? <CodeField methods={methods} onPasskey={submit} />
          : asksHere && <CredentialFields username={session.user.peek()?.username} />}
        <FormError text={form.error} />
        <div className="prompt__acts">
          <a className="button" href={loginHref(config.BaseURL)}>{t("login.leave")}</a>
          {config.Provider && <ProviderLink base={config.BaseURL} provider={config.Provider} />}
          {!config.Provider?.Only && config.ReCaptcha && <SignInLink base={config.BaseURL} />}
          {asksHere && (
            <Button type="submit" variant="primary" aria-busy={form.busy}>
              {form.busy ? <Spinner label={t("login.busy")} /> : t("login.submit")}
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
