import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Failure, FailureCode, Result } from "../../../shared/result.ts";
import { reasonOf } from "../api/reasons.ts";

/** What connects a field component with a value of a form. */
export interface Bound<Value> {
  /** Prefix of the ids, unique on the page. */
  name: string;
  value: Value;
  complaint?: string;
  onChange: (value: Value) => void;
}

/** The values of a form, or of an object within them. */
export interface Fields<Values extends object> {
  values: Values;
  change(changed: Partial<Values>): void;
  /** @param id unique on the page, where the name of the member is not */
  field<Name extends keyof Values & string>(name: Name, id?: string): Bound<Values[Name]>;
  part<Name extends ObjectsIn<Values>>(name: Name): Fields<Values[Name] & object>;
}

type MembersByCode = Partial<Record<FailureCode, string>>;

/** The members that are objects. */
type ObjectsIn<Values> = {
  [Name in keyof Values & string]: Values[Name] extends object ? Name : never;
}[keyof Values & string];

/** A form: its values, and the call that saves them. */
export interface Form<Values extends object> extends Fields<Values> {
  /** The values as they were saved last. */
  saved: Values;
  busy: boolean;
  /** A value is wrong, see `faults`. */
  isFaulty: boolean;
  /** The error message of the last call, where it is about no field. */
  error?: string;
  /** The error message of a field that keeps its value itself, such as one that browsers fill in. */
  complaintOf(member: keyof Values & string): string | undefined;
  /**
   * Checks and saves the values; returns whether that succeeded.
   *
   * @param typed values of fields that keep them themselves
   */
  submit(typed?: Partial<Values>): Promise<boolean>;
  /** Shows an error message at a field, which takes the focus. @param member see `fields` */
  refuse(member: string | undefined, text?: string): void;
  /** Shows no error message of a call any more. */
  forgive(): void;
  /** Makes another call, whose errors belong to fields as well. */
  send<T>(call: () => Promise<Result<T>>, fields?: MembersByCode): Promise<Result<T>>;
  /** Takes other values, as saved. */
  reset(values: Values): void;
}

/** The rules of a form. */
export interface FormOptions<Values extends object, Answer = unknown> {
  /** Error messages by member while the user types; "" for a wrong value without a message. */
  faults?: (values: Values) => Partial<Record<string, string>>;
  /** The first wrong member on submit, with its error message unless it is shown already. */
  check?: (values: Values) => readonly [member: string | undefined, text?: string] | null;
  /**
   * The member of each error code, such as `username` or `branding.color`. An answer that names the
   * member itself needs none.
   */
  fields?: MembersByCode;
  /** The error message of a failure; that of its code by default. */
  reason?: (why: Failure) => string;
  /** Shows an error message that is about no field; by default it is the `error` of the form. */
  failed?: (text: string) => void;
  /** Moves the focus after an error; by default to the field that it is about. */
  focus?: (member: string | undefined) => void;
  /** Saves the values. */
  save?: (values: Values, saved: Values) => Promise<Result<Answer>>;
  /** In place of `save`, for more than one call. */
  submit?: (values: Values) => Promise<unknown>;
  /** Called with the answer, what was saved, and what was before. */
  done?: (answer: Answer, saved: Values, former: Values) => unknown;
  /** `done` leaves the page: the form stays busy. */
  leaves?: boolean;
}

/**
 * Binds fields to values, and saves these. A refusal is shown at the field that it is about, which
 * takes the focus.
 *
 * @param initial as saved; its type is that of the schema of the call
 */
export function useForm<Values extends object, Answer = unknown>(
  initial: Values,
  options: FormOptions<Values, Answer>,
): Form<Values> {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState(initial);
  const [values, setValues] = useState(initial);
  const [complaint, setComplaint] = useState<{ member?: string; text?: string } | null>(null);
  const ids = useRef(new Map<string, string>()).current;
  const { faults, check, fields, reason = (why) => reasonOf(t, why), save, done } = options;
  useEffect(() => {
    if (!complaint) return;
    const { member = "" } = complaint;
    if (options.focus) options.focus(complaint.member);
    else focusField(document.getElementById(`field-${ids.get(member)}`));
  }, [complaint]);

  const wrong = faults?.(values) ?? {};
  const complaintOf = (member: string, id: string) => {
    ids.set(member, id);
    return wrong[member] || (complaint?.member === member ? complaint.text : undefined);
  };
  const form: Form<Values> = {
    ...fieldsOf(values, setValues, complaintOf),
    ...{ saved, busy },
    isFaulty: Object.values(wrong).some((text) => text !== undefined),
    error: complaint && complaint.member === undefined ? complaint.text : undefined,
    complaintOf: (member) => complaintOf(member, member),
    async submit(typed) {
      const now = { ...values, ...typed };
      const refused = check?.(now);
      if (refused) form.refuse(...refused);
      else if (options.submit) await options.submit(now);
      if (refused || !save) return false;
      const answer = await form.send(() => save(now, saved), fields);
      if (!answer.ok) return false;
      if (options.leaves) setBusy(true);
      setSaved(now);
      await done?.(answer.value, now, saved);
      return true;
    },
    refuse: (member, text) => setComplaint({ member, text }),
    forgive: () => setComplaint(null),
    async send(call, fields = {}) {
      setComplaint(null);
      setBusy(true);
      const answer = await call();
      setBusy(false);
      if (answer.ok || answer.code === "aborted") return answer;
      const known = fields[answer.code];
      const member = known ?? memberIn(answer);
      const text = reason(answer);
      if (member !== undefined && ids.has(member)) {
        form.refuse(member, known ? text : t("errors.invalid_option"));
      } else if (options.failed) options.failed(text);
      else form.refuse(undefined, text);
      return answer;
    },
    reset(others) {
      setSaved(others);
      setValues(others);
    },
  };
  return form;
}

/** Gives a field the focus, and opens what it is folded away in. */
export function focusField(field: HTMLElement | null): void {
  for (let fold = field?.closest("details"); fold; fold = fold.parentElement?.closest("details")) {
    fold.open = true;
  }
  field?.focus();
}

/** The values of a form whose fields keep them themselves. @param values those without a field */
export function typedIn<Values extends object>(form: HTMLFormElement, values: Values): Values {
  const typed = new FormData(form);
  const names = Object.keys(values).filter((name) => typed.has(name));
  return { ...values, ...Object.fromEntries(names.map((name) => [name, typed.get(name)])) };
}

/** The `focus` of a form whose messages leave the focus where it is. */
export function stayFocused(): void {}

function fieldsOf<Values extends object>(
  values: Values,
  update: (change: (now: Values) => Values) => void,
  complaintOf: (member: string, id: string) => string | undefined,
  prefix = "",
): Fields<Values> {
  return {
    values,
    change: (changed) => update((now) => ({ ...now, ...changed })),
    field: (name, id = name) => ({
      name: id,
      value: values[name],
      complaint: complaintOf(prefix + name, id),
      onChange: (value) => update((now) => ({ ...now, [name]: value })),
    }),
    part(name) {
      type Part = Values[typeof name] & object;
      return fieldsOf<Part>(
        values[name] as Part,
        (change) => update((now) => ({ ...now, [name]: change(now[name] as Part) })),
        complaintOf,
        `${prefix}${name}.`,
      );
    },
  };
}

/** The member that an answer of the server names: see `read` of the schemas. */
function memberIn({ code, message }: Failure): string | undefined {
  if (code !== "invalid_body" && code !== "invalid_option") return undefined;
  return /^Cannot read ([\w.]+):/.exec(message)?.[1];
}
