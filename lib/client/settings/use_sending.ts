import { useEffect, useState } from "react";
import { useTranslation } from "../core/use_translation.ts";
import { throttledText } from "../core/format_wait.ts";
import { usePage } from "../core/page.ts";
import { reasonOf } from "../api/reasons.ts";
import type { Failure, FailureCode, Result } from "../api/result.ts";
import { usePrompts, useToasts } from "../core/use_site.ts";
import { confirmed } from "./confirmed.ts";

/** What is wrong with one field of a form. */
export interface Complaint {
  /** The `name` of the field. */
  field: string;
  text: string;
}

/** How a form is sent. */
export interface Sending {
  busy: boolean;
  /** What the server had against the form as it was last sent. */
  complaint: Complaint | null;
  /** What it has against one field. */
  about(field: string): string | undefined;
  /** Says that a field is wrong before anything is sent. */
  refuse(field: string, text: string): void;
  send<T>(call: (password?: string) => Promise<Result<T>>, how?: SendOptions): Promise<Result<T>>;
}

/** What a form says about one call. */
export interface SendOptions {
  /** Which field a refusal is about; others are told in a message at the edge of the screen. */
  fields?: Partial<Record<FailureCode, string>>;
  /** Whether to ask for the own password: before the call, when the server wants it, or not at all. */
  password?: "first" | "when asked" | "never";
}

/** Sends a form: keeps track of it, asks for the own password, and says what went wrong, and where. */
export function useSending(): Sending {
  const { t, language } = useTranslation();
  const { AuthMethod } = usePage().data.config;
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
      // Elsewhere the server vouches for its users: there is no password to ask for.
      const first = password === "first" && AuthMethod === "json";
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
