import { type RefObject, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Credentials } from "../api/api.ts";
import { type Captcha, useCaptcha } from "./use_captcha.ts";
import { throttledText } from "../core/format_details.ts";
import { reasonOf } from "../api/reasons.ts";
import { failure, type Result } from "../../../shared/result.ts";
import type { FactorMethod } from "../../../shared/schemas/choices/choices.ts";
import type { PasskeyAnswer } from "../../../shared/schemas/passkeys.ts";
import { useApi } from "../core/use_site.ts";
import { type Form, typedIn, useForm } from "../ui/use_form.ts";

/** What a form to sign in takes at first. */
export const noCredentials: Credentials = { username: "", password: "", code: "" };

/** The two steps to sign in: name and password, then a code for users with a second factor. */
export interface SignInSteps {
  /** The factors of a user who has to give a code, as name and password are right; else null. */
  methods: readonly FactorMethod[] | null;
  /** Signs in. When a code is needed now, the result is `aborted`. */
  signIn(typed: Credentials): Promise<Result<void>>;
  /** What was typed into a form, or the answer of a passkey in place of a code. */
  typedIn<Typed extends Credentials>(
    form: HTMLFormElement,
    values: Typed,
    passkey?: PasskeyAnswer,
  ): Typed;
  /** Begins with name and password again. */
  restart(): void;
}

/** Signs in step by step. */
export function useSignInSteps(): SignInSteps {
  const api = useApi();
  const [accepted, setAccepted] = useState<
    { typed: Credentials; methods: readonly FactorMethod[] } | null
  >(null);
  return {
    methods: accepted?.methods ?? null,
    async signIn(typed) {
      const credentials = { ...typed, ...accepted?.typed };
      const answer = await api.signIn(credentials);
      if (answer.ok || answer.code !== "second_factor_required") return answer;
      const { username, password } = credentials;
      setAccepted({ typed: { username, password }, methods: answer.factors ?? [] });
      return failure(0, "aborted", answer.message);
    },
    typedIn(form, values, passkey) {
      const typed = typedIn(form, values);
      return { ...typed, code: accepted && !passkey ? typed.code?.trim() : undefined, passkey };
    },
    restart: () => setAccepted(null),
  };
}

/** A form to sign in or to sign up. */
export interface AuthForm extends Pick<SignInSteps, "methods"> {
  /** The element of the form, whose fields keep their values themselves. */
  element: RefObject<HTMLFormElement>;
  form: Form<Credentials & { again: string }>;
  signsUp: boolean;
  /** Switches between signing in and signing up, or back from the code to the password. */
  toggleMode(): void;
  /** The captcha to solve; null if none is required. */
  captcha: Captcha | null;
  /** Sends what was typed, or the answer of a passkey in place of a code. */
  enter(passkey?: PasskeyAnswer): void;
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
  const element = useRef<HTMLFormElement>(null);
  const [signsUp, setSignsUp] = useState(newcomer);
  const steps = useSignInSteps();
  const { methods } = steps;

  const form = useForm({ ...noCredentials, again: "" }, {
    fields: signsUp
      ? { exists: "username", invalid_name: "username", invalid_password: "password" }
      : methods
      ? { wrong_credentials: "code" }
      : {},
    check({ password, again, code, passkey }) {
      if (methods && !passkey && code === "") return ["code", t("factors.codeMissing")];
      if (signsUp && password !== again) return ["again", t("login.dontMatch")];
      if (captcha?.token() !== "") return null;
      captcha.again();
      return [undefined, t("login.wrong")];
    },
    reason(why) {
      if (signsUp && why.code === "exists") return t("login.taken");
      if (signsUp && why.status !== 0) return reasonOf(t, why);
      if (why.code === "offline") return t("status.offlineTitle");
      if (why.code === "throttled") return throttledText(t, language, why.retryAfter);
      const isCodeWrong = methods && why.code === "wrong_credentials";
      return t(isCodeWrong ? "factors.wrongCode" : "login.wrong");
    },
    focus: (member = "password") =>
      element.current?.querySelector<HTMLInputElement>(`[name=${member}]`)?.select(),
    async save({ again: _, ...typed }) {
      const credentials = { ...typed, recaptcha: captcha?.token() };
      const answer = await (signsUp ? api.signUp(credentials) : steps.signIn(credentials));
      if (!answer.ok) captcha?.again();
      return answer;
    },
    done: () => location.assign(next),
    leaves: true,
  });

  return {
    ...{ element, form, signsUp, methods, captcha },
    toggleMode() {
      if (methods) steps.restart();
      else setSignsUp(!signsUp);
      form.forgive();
    },
    enter(passkey) {
      if (!element.current || form.busy) return;
      void form.submit(steps.typedIn(element.current, form.values, passkey));
    },
  };
}
