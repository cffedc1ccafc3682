import { useTranslation } from "react-i18next";
import { throttledText } from "../../../base/core/format_details.ts";
import { usePrompts, useToasts } from "../../../base/core/use_site.ts";
import { reasonOf } from "../../../base/api/reasons.ts";
import type { Reauthentication, ReauthenticationQuestion } from "../../../base/prompts/prompts.ts";
import type { Factors } from "../../../../shared/schemas/factors.ts";
import { type FactorMethod, factorMethods } from "../../../../shared/schemas/choices/choices.ts";
import { type Failure, failure, type Result } from "../../../../shared/result.ts";

/** Makes a call with the password and a code, which are asked for until they are right. */
export type Proved = <T>(
  question: Omit<ReauthenticationQuestion, "methods">,
  call: (credentials: Reauthentication) => Promise<Result<T>>,
) => Promise<Result<T>>;

/**
 * Asks for the password and a code before a second factor changes. Closing the prompt results in
 * `aborted`.
 */
export function useProved({ totp, passkeys, recoveryCodes }: Factors): Proved {
  const { t, i18n: { language } } = useTranslation();
  const prompts = usePrompts();
  const toasts = useToasts();
  const reason = (why: Failure): string => {
    if (why.code === "throttled") return throttledText(t, language, why.retryAfter);
    return why.code === "wrong_credentials" ? t("factors.wrongProof") : reasonOf(t, why);
  };
  return async (question, call) => {
    const has: Record<FactorMethod, boolean> = {
      totp,
      // A passkey counts under the host name that it was made for.
      passkey: passkeys.some(({ host }) => host === location.hostname),
      recovery: recoveryCodes > 0,
    };
    const methods = factorMethods.filter((method) => has[method]);
    let complaint: string | undefined;
    while (true) {
      const credentials = await prompts.open("reauthentication", {
        ...question,
        methods,
        complaint,
      });
      if (credentials === null) return failure(0, "aborted", "The call was given up");
      const answer = await call(credentials);
      if (answer.ok) return answer;
      complaint = reason(answer);
      if (answer.code === "wrong_credentials" || answer.code === "throttled") continue;
      toasts.error(complaint);
      return answer;
    }
  };
}
