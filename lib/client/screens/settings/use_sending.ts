import { useEffect, useState } from "react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { throttledText } from "../../base/core/format_details.ts";
import { usePage } from "../../base/core/page.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { type Failure, failure, type FailureCode, type Result } from "../../../shared/result.ts";
import { usePrompts, useToasts } from "../../base/core/use_site.ts";
import type { Prompts } from "../../base/prompts/prompts.ts";

/** The error message of one field of a form. */
export interface Complaint {
  /** The `name` of the field. */
  field: string;
  text: string;
}

/** The state of a form and the means to send it. */
export interface Sending {
  busy: boolean;
  /** The error of the last attempt. */
  complaint: Complaint | null;
  /** The error message of one field. */
  about(field: string): string | undefined;
  /** Sets the error message of a field without sending. */
  refuse(field: string, text: string): void;
  send<T>(call: (password?: string) => Promise<Result<T>>, how?: SendOptions): Promise<Result<T>>;
}

/** Options of one call. */
export interface SendOptions {
  /** The field of each error code; other errors are shown as toasts. */
  fields?: Partial<Record<FailureCode, string>>;
  /**
   * When to ask for the user's own password: before the call, when the server requires it, or
   * never.
   */
  password?: "first" | "when asked" | "never";
}

/** Sends a form: tracks progress, asks for the own password, assigns errors to fields. */
export function useSending(): Sending {
  const { t, i18n: { language } } = useTranslation();
  const { LoginPage, Provider } = usePage().data.config;
  const prompts = usePrompts();
  const toasts = useToasts();
  const [busy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState<Complaint | null>(null);

  const reason = (why: Failure): string =>
    why.code === "throttled" ? throttledText(t, language, why.retryAfter) : reasonOf(t, why);

  useEffect(() => {
    if (complaint) document.getElementById(`field-${complaint.field}`)?.focus();
  }, [complaint]);

  return {
    busy,
    complaint,
    about: (field) => complaint?.field === field ? complaint.text : undefined,
    refuse: (field, text) => setComplaint({ field, text }),
    async send(call, { fields = {}, password = "when asked" } = {}) {
      setBusy(true);
      setComplaint(null);
      // Without a login page a proxy authenticates users: there is no password to ask for.
      // A recent sign-in at a provider counts as well: the server refuses it when it is too old.
      const first = password === "first" && LoginPage && !Provider?.Mine;
      const answer = password === "never"
        ? await call()
        : await confirmed({ prompts, t, first }, call);
      setBusy(false);
      if (answer.ok || answer.code === "aborted") return answer;
      const field = fields[answer.code];
      if (field) setComplaint({ field, text: reason(answer) });
      else toasts.error(reason(answer));
      return answer;
    },
  };
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
