import { useState } from "react";
import { useTranslation } from "../core/use_translation.ts";
import type { Credentials } from "../api/api.ts";
import { type Captcha, useCaptcha } from "./use_captcha.ts";
import { throttledText } from "../core/format_wait.ts";
import { reasonOf } from "../api/reasons.ts";
import type { Failure } from "../api/result.ts";
import { useApi } from "../core/use_site.ts";

/** What was wrong with what was typed; without a field it is about the whole. */
export interface EntryComplaint {
  field?: "username" | "password" | "again";
  text: string;
}

/** What a form to sign in with, or to sign up, needs. */
export interface Entering {
  signsUp: boolean;
  /** Goes from one to the other. */
  turn(): void;
  busy: boolean;
  complaint: EntryComplaint | null;
  /** What has to be solved besides; null for nothing. */
  captcha: Captcha | null;
  /** @param again the password once more, when somebody signs up */
  enter(typed: Credentials, again: string): Promise<void>;
}

/**
 * Lets visitors in: with the name and password that they have, or with those that they choose.
 *
 * @param next where to go then
 * @param newcomer begins with signing up
 */
export function useEntering(next: string, newcomer: boolean): Entering {
  const { t, language } = useTranslation();
  const api = useApi();
  const captcha = useCaptcha();
  const [signsUp, setSignsUp] = useState(newcomer);
  const [busy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState<EntryComplaint | null>(null);

  const general = (why: Failure): string => {
    if (why.code === "offline") return t("status.offlineTitle");
    if (why.code === "throttled") return throttledText(t, language, why.retryAfter);
    return t("login.wrong");
  };
  const refusedName = (why: Failure): EntryComplaint => {
    if (why.code === "exists") return { field: "username", text: t("login.taken") };
    if (why.code === "invalid_name") return { field: "username", text: reasonOf(t, why) };
    if (why.code === "invalid_password") return { field: "password", text: reasonOf(t, why) };
    return { text: why.status === 0 ? general(why) : reasonOf(t, why) };
  };
  const tryIt = async (typed: Credentials): Promise<EntryComplaint | null> => {
    const answer = await (signsUp ? api.signUp(typed) : api.signIn(typed));
    if (answer.ok) return null;
    return signsUp ? refusedName(answer) : { text: general(answer) };
  };

  return {
    signsUp,
    turn() {
      setSignsUp(!signsUp);
      setComplaint(null);
    },
    busy,
    complaint,
    captcha,
    async enter(typed, again) {
      if (busy) return;
      if (signsUp && typed.password !== again) {
        return setComplaint({ field: "again", text: t("login.dontMatch") });
      }
      const recaptcha = captcha?.proof();
      if (captcha && recaptcha === "") {
        captcha.again();
        return setComplaint({ text: t("login.wrong") });
      }
      setBusy(true);
      setComplaint(null);
      const wrong = await tryIt({ ...typed, recaptcha });
      if (wrong === null) return location.assign(next);
      captcha?.again();
      setBusy(false);
      setComplaint(wrong);
    },
  };
}
