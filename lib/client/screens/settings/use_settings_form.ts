import type { FailureCode, Result } from "../../../shared/result.ts";
import { useToasts } from "../../base/core/use_site.ts";
import { type Form, type FormOptions, useForm } from "../../base/ui/use_form.ts";
import { useReason } from "../../base/ui/use_reason.ts";
import { type Asked, useSending } from "./use_sending.ts";
import { useUnsaved } from "./use_unsaved.ts";

/** A form of the settings. */
export interface SettingsForm<Values extends object> extends Omit<Form<Values>, "send"> {
  /** Makes another call, whose errors belong to fields as well. */
  send<T>(
    call: (password?: string) => Promise<Result<T>>,
    how?: { password?: Asked; fields?: Partial<Record<FailureCode, string>> },
  ): Promise<Result<T>>;
}

/** The rules of a form of the settings. */
interface SettingsFormOptions<Values extends object, Answer>
  extends Omit<FormOptions<Values, Answer>, "save"> {
  /** When the user's own password is asked for. */
  password?: Asked | ((values: Values) => Asked);
  /** Names the form where the user is asked about unsaved changes; absent to ask nothing. */
  title?: string;
  /** Saves the values. @param password the user's own, where it is needed */
  save?: (values: Values, password: string | undefined, saved: Values) => Promise<Result<Answer>>;
}

/**
 * A form that asks for the user's own password where a call needs it, and before it is left with
 * unsaved changes. What is about no field is a toast.
 */
export function useSettingsForm<Values extends object, Answer = unknown>(
  initial: Values,
  { password, title, save, ...options }: SettingsFormOptions<Values, Answer>,
): SettingsForm<Values> {
  const { confirm } = useSending();
  const reason = useReason();
  const toasts = useToasts();
  const form = useForm<Values, Answer>(initial, {
    reason,
    failed: (text) => toasts.error(text),
    ...options,
    save: save && ((values, saved) =>
      confirm(
        (own) => save(values, own, saved),
        typeof password === "function" ? password(values) : password,
      )),
  });
  useUnsaved({
    name: title ?? "",
    isChanged: title !== undefined && !deepEqual(form.values, form.saved),
    save: form.submit,
  });
  return {
    ...form,
    send: (call, { password, fields } = {}) => form.send(() => confirm(call, password), fields),
  };
}

/** Whether two JSON values are equal, regardless of the order of members. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => deepEqual(Reflect.get(a, key), Reflect.get(b, key)));
}
