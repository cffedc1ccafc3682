import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Credentials } from "../api/api.ts";
import { type Captcha, useCaptcha } from "./use_captcha.ts";
import { throttledText } from "../core/format_details.ts";
import { reasonOf } from "../api/reasons.ts";
import type { Failure } from "../../../shared/result.ts";
import type { FactorMethod } from "../../../shared/schemas/choices/choices.ts";
import { useApi } from "../core/use_site.ts";

/** An error message of the form; without a field it concerns the whole. */
export interface AuthComplaint {
  field?: "username" | "password" | "again" | "code";
  text: string;
}

/** Name and password that are right, with what else their user has to send. */
export interface Accepted {
  typed: Credentials;
  methods: readonly FactorMethod[];
}

/** The state of a form to sign in or to sign up. */
export interface AuthForm {
  signsUp: boolean;
  /** The factors of a user who has to give a code, as name and password are right; else null. */
  methods: readonly FactorMethod[] | null;
  /** Switches between signing in and signing up, or back from the code to the password. */
  toggleMode(): void;
  busy: boolean;
  complaint: AuthComplaint | null;
  /** The captcha to solve; null if none is required. */
  captcha: Captcha | null;
  /**
   * @param typed name and password stay as they were accepted while a code is asked for
   * @param again the repeated password, when signing up
   */
  enter(typed: Credentials, again: string): Promise<void>;
}

/**
 * Signs a visitor in, or up.
 *
 * @param next the page to open afterwards
 * @param newcomer begins with signing up
 */
export function useAuthForm(next: string, newcomer: boolean): AuthForm {
  const { t, i18n: { language } } = useTranslation();
  const api = useApi();
  const captcha = useCaptcha();
  const [signsUp, setSignsUp] = useState(newcomer);
  const [busy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState<AuthComplaint | null>(null);
  const [accepted, setAccepted] = useState<Accepted | null>(null);

  const general = (why: Failure): string => {
    if (why.code === "offline") return t("status.offlineTitle");
    if (why.code === "throttled") return throttledText(t, language, why.retryAfter);
    return t("login.wrong");
  };
  const refusedName = (why: Failure): AuthComplaint => {
    if (why.code === "exists") return { field: "username", text: t("login.taken") };
    if (why.code === "invalid_name") return { field: "username", text: reasonOf(t, why) };
    if (why.code === "invalid_password") return { field: "password", text: reasonOf(t, why) };
    return { text: why.status === 0 ? general(why) : reasonOf(t, why) };
  };
  /** The complaint, without a text when a code is needed now; null once it has worked. */
  const tryIt = async (typed: Credentials): Promise<Partial<AuthComplaint> | null> => {
    const answer = await (signsUp ? api.signUp(typed) : api.signIn(typed));
    if (answer.ok) return null;
    if (signsUp) return refusedName(answer);
    const isCodeWrong = accepted !== null && answer.code === "wrong_credentials";
    if (isCodeWrong) return { field: "code", text: t("factors.wrongCode") };
    if (answer.code !== "second_factor_required") return { text: general(answer) };
    const { username, password } = typed;
    setAccepted({ typed: { username, password }, methods: answer.factors ?? [] });
    return {};
  };

  return {
    signsUp,
    methods: accepted?.methods ?? null,
    toggleMode() {
      if (accepted) setAccepted(null);
      else setSignsUp(!signsUp);
      setComplaint(null);
    },
    busy,
    complaint,
    captcha,
    async enter(typed, again) {
      if (busy) return;
      if (accepted && !typed.passkey && typed.code === "") {
        return setComplaint({ field: "code", text: t("factors.codeMissing") });
      }
      if (signsUp && typed.password !== again) {
        return setComplaint({ field: "again", text: t("login.dontMatch") });
      }
      const recaptcha = captcha?.token();
      if (captcha && recaptcha === "") {
        captcha.again();
        return setComplaint({ text: t("login.wrong") });
      }
      setBusy(true);
      setComplaint(null);
      const wrong = await tryIt({ ...typed, ...accepted?.typed, recaptcha });
      if (wrong === null) return location.assign(next);
      captcha?.again();
      setBusy(false);
      setComplaint(wrong.text === undefined ? null : { ...wrong, text: wrong.text });
    },
  };
}
