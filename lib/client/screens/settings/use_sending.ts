import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePage } from "../../base/core/page.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import type { PageConfig } from "../../../shared/page_data.ts";
import { failure, type Result } from "../../../shared/result.ts";
import { usePrompts, useToasts } from "../../base/core/use_site.ts";
import { useReason } from "../../base/ui/use_reason.ts";
import type { Prompts } from "../../base/prompts/prompts.ts";

/** When to ask for the user's own password: before the call, when the server requires it, or never. */
export type Asked = "first" | "when asked" | "never";

/** The means to make calls of a page. */
interface Sending {
  busy: boolean;
  /** Makes a call; a refusal is shown as a toast. */
  send<T>(
    call: (password?: string) => Promise<Result<T>>,
    how?: { password?: Asked },
  ): Promise<Result<T>>;
  /** Makes a call with the user's own password, where it is needed; shows nothing of a refusal. */
  confirm<T>(call: (password?: string) => Promise<Result<T>>, password?: Asked): Promise<Result<T>>;
}

/**
 * Whether users have a password to confirm calls with. Without a login page a proxy authenticates
 * them. A recent sign-in at a provider counts as well: the server refuses it when it is too old.
 */
export function hasOwnPassword(
  { LoginPage, Provider }: Pick<PageConfig, "LoginPage" | "Provider">,
): boolean {
  return LoginPage && !Provider?.Mine;
}

/** Makes calls: tracks progress, asks for the own password, shows errors. */
export function useSending(): Sending {
  const { t } = useTranslation();
  const reason = useReason();
  const { LoginPage, Provider } = usePage().data.config;
  const prompts = usePrompts();
  const toasts = useToasts();
  const [busy, setBusy] = useState(false);
  const sending: Sending = {
    busy,
    async send(call, { password } = {}) {
      setBusy(true);
      const answer = await sending.confirm(call, password);
      setBusy(false);
      if (!answer.ok && answer.code !== "aborted") toasts.error(reason(answer));
      return answer;
    },
    confirm(call, password = "when asked") {
      const first = password === "first" && hasOwnPassword({ LoginPage, Provider });
      return password === "never" ? call() : confirmed({ prompts, t, first }, call);
    },
  };
  return sending;
}

/** The dependencies of a confirmation. */
export interface Confirming {
  prompts: Prompts;
  t: TFunction;
  /** Asks before the first call, if the server is known to require it. */
  first: boolean;
}

/**
 * Makes a call that may require the user's own password: a prompt opens when the server wants it,
 * and again until it is right. Closing the prompt results in `aborted`.
 *
 * @param call is made with the password, or without one at first
 */
export async function confirmed<T>(
  { prompts, t, first }: Confirming,
  call: (password?: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  let answer = first ? null : await call();
  let complaint: string | undefined;
  while (answer === null || (!answer.ok && answer.code === "wrong_credentials")) {
    const password = await prompts.open("password", { complaint });
    if (password === null) return failure(0, "aborted", "The call was given up");
    answer = await call(password);
    if (!answer.ok) complaint = reasonOf(t, answer);
  }
  return answer;
}
