import { useTranslation } from "react-i18next";
import { usePrompts, useToasts } from "../../../base/core/use_site.ts";
import { useReason } from "../../../base/ui/use_reason.ts";
import type { Reauthentication, ReauthenticationQuestion } from "../../../base/prompts/prompts.ts";
import type { Factors } from "../../../../shared/schemas/factors.ts";
import { type FactorMethod, factorMethods } from "../../../../shared/schemas/choices/choices.ts";
import { failure, type Result } from "../../../../shared/result.ts";

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
  const { t } = useTranslation();
  const prompts = usePrompts();
  const toasts = useToasts();
  const reason = useReason();
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
      complaint = answer.code === "wrong_credentials" ? t("factors.wrongProof") : reason(answer);
      if (answer.code === "wrong_credentials" || answer.code === "throttled") continue;
      toasts.error(complaint);
      return answer;
    }
  };
}
