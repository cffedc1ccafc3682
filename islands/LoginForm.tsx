import { useTranslation } from "react-i18next";
import "../lib/client/base/open_site.ts";
import { Eye, EyeOff } from "lucide";
import { useState } from "react";
import { Button, IconButton } from "../components/Button.tsx";
import { FormError, TextField } from "../components/Fields.tsx";
import { Logo, Spinner } from "../components/Icon.tsx";
import { useHydrated, usePage } from "../lib/client/base/core/page.ts";
import type { LoginRefusal } from "../lib/shared/page_data.ts";
import { EnteringPage, type EnteringPageProps } from "../lib/client/base/session/EnteringPage.tsx";
import { ConnectPage, type ConnectPageProps } from "../lib/client/base/session/ConnectPage.tsx";
import { InvitePage } from "../lib/client/base/session/InvitePage.tsx";
import { ProviderEntry } from "../lib/client/base/session/ProviderEntry.tsx";
import { providerHref } from "../lib/client/base/session/session.ts";
import { lazy } from "../lib/client/base/core/lazy.ts";
import { useLazy } from "../lib/client/base/core/use_site.ts";
import { usePasskeySupport } from "../lib/client/base/session/use_passkey.ts";
import { CaptchaField, UsernameField } from "../lib/client/base/session/AuthFields.tsx";
import { CodeField } from "../lib/client/base/session/CodeField.tsx";
import { useAuthForm } from "../lib/client/base/session/use_auth_form.ts";

const passkeyEntry = lazy(() => import("../lib/client/base/session/PasskeyEntry.tsx"));

interface LoginFormProps {
  /** The address to go to after signing in, on this site and checked by the server. */
  next: string;
  /** Users sign in by passkeys here. */
  passkeys: boolean;
  /** Begins with signing up, if visitors may. */
  signup: boolean;
  /** Why signing in elsewhere has not worked. */
  refused?: LoginRefusal | undefined;
}

/** The sign-in form; if visitors may sign up, also the sign-up form. */
export function LoginForm({ next, passkeys, signup, refused }: LoginFormProps) {
  const { t } = useTranslation();
  const { Name, Signup, Provider, BaseURL, MinimumPasswordLength } = usePage().data.config;
  const refusal = Provider && refused && t(`external.${refused}`, { name: Provider.Name });
  const [shown, setShown] = useState(false);
  const { element, form, signsUp, methods, toggleMode, captcha, enter } = useAuthForm(
    next,
    signup && Signup,
  );
  const { busy, complaintOf } = form;
  const asksCode = methods !== null;
  const hydrated = useHydrated();
  const offersPasskeys = usePasskeySupport() && passkeys && !signsUp && !asksCode;
  const entryCode = useLazy(passkeyEntry, offersPasskeys);
  const entry = offersPasskeys ? entryCode : null;
  const word = t(signsUp ? "login.signUp" : "login.submit");

  return (
    <>
      <div className="welcome">
        <Logo />
        <h1 className="welcome__title">
          {asksCode
            ? t("factors.stepTitle")
            : t(signsUp ? "login.signUpNamed" : "login.titleNamed", { name: Name })}
        </h1>
      </div>
      {Provider && !asksCode && (
        <ProviderEntry provider={Provider} href={providerHref(BaseURL, next)} refusal={refusal} />
      )}
      {!Provider?.Only && (
        <form
          ref={element}
          className="login"
          method="post"
          onSubmit={(event) => {
            event.preventDefault();
            enter();
          }}
        >
          <FormError text={form.error} />
          {methods
            ? <CodeField methods={methods} complaint={complaintOf("code")} onPasskey={enter} />
            : (
              <>
                <UsernameField
                  complaint={complaintOf("username")}
                  passkeys={passkeys && !signsUp}
                  autofocus
                />
                <TextField
                  name="password"
                  label={t("login.password")}
                  hint={signsUp
                    ? t("settings.passwordHint", { length: MinimumPasswordLength })
                    : undefined}
                  complaint={complaintOf("password")}
                  type={shown ? "text" : "password"}
                  autoComplete={signsUp ? "new-password" : "current-password"}
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
              </>
            )}
          {signsUp && (
            <TextField
              name="again"
              label={t("login.passwordAgain")}
              complaint={complaintOf("again")}
              type={shown ? "text" : "password"}
              autoComplete="new-password"
              required
            />
          )}
          {captcha && <CaptchaField captcha={captcha} />}
          <Button
            className="login__submit"
            type={hydrated ? "submit" : "button"}
            variant="primary"
            wide
            aria-busy={busy}
          >
            {busy ? <Spinner label={t("login.busy")} /> : word}
          </Button>
          {asksCode && (
            <Button variant="quiet" wide onClick={toggleMode}>{t("factors.back")}</Button>
          )}
        </form>
      )}
      {entry && <entry.PasskeyEntry next={next} paused={busy} />}
      {Signup && !asksCode && !Provider?.Only && (
        <Button variant="quiet" wide onClick={toggleMode}>
          {t(signsUp ? "login.toSignIn" : "login.toSignUp")}
        </Button>
      )}
    </>
  );
}

/**
 * See {@linkcode EnteringPage}. It is in this file as each file is an entry of the bundler: one that
 * needs little would split what the other islands load as one.
 */
export function Entering(props: EnteringPageProps) {
  return <EnteringPage {...props} />;
}

/** See {@linkcode InvitePage}: likewise. */
export function Invited() {
  return <InvitePage />;
}

/** See {@linkcode ConnectPage}: likewise. */
export function ConnectingApp(props: ConnectPageProps) {
  return <ConnectPage {...props} />;
}
