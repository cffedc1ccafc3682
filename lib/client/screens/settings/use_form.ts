import { useEffect, useRef, useState } from "react";
import type { Failure, FailureCode, Result } from "../../../shared/result.ts";
import { useTranslation } from "react-i18next";
import { type SendOptions, useSending } from "./use_sending.ts";
import { useUnsaved } from "./use_unsaved.ts";

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

type Asked = SendOptions["password"];

/** The members that are objects. */
type ObjectsIn<Values> = {
  [Name in keyof Values & string]: Values[Name] extends object ? Name : never;
}[keyof Values & string];

/** A form: its values, and the call that saves them. */
export interface Form<Values extends object> extends Fields<Values> {
  /** The values as they were saved last. */
  saved: Values;
  busy: boolean;
  /** Checks and saves the values; returns whether that succeeded. */
  submit(): Promise<boolean>;
  /** Shows an error message at a field, which takes the focus. @param member see `fields` */
  refuse(member: string, text?: string): void;
  /** Makes another call, whose errors belong to fields as well. */
  send<T>(
    call: (password?: string) => Promise<Result<T>>,
    how?: { password?: Asked; fields?: MembersByCode },
  ): Promise<Result<T>>;
  /** Takes other values, as saved. */
  reset(values: Values): void;
}

/** The rules of a form. */
interface FormOptions<Values extends object, Answer = unknown> {
  /** When the user's own password is asked for. */
  password?: Asked | ((values: Values) => Asked);
  /** Names the form where the user is asked about unsaved changes; absent to ask nothing. */
  title?: string;
  /** The first wrong member, with its error message unless it is shown already. */
  check?: (values: Values) => readonly [member: string, text?: string] | null;
  /**
   * The member of each error code, such as `username` or `branding.color`. An answer that names the
   * member itself needs none.
   */
  fields?: MembersByCode;
  /** Saves the values. @param password the user's own, where it is needed */
  save?: (values: Values, password: string | undefined, saved: Values) => Promise<Result<Answer>>;
  /** In place of `save`, for more than one call. */
  submit?: (values: Values) => Promise<unknown>;
  /** Called with the answer, what was saved, and what was before. */
  done?: (answer: Answer, saved: Values, former: Values) => unknown;
}

/**
 * Binds fields to values, and saves these. A refusal is shown at the field that it is about, which
 * takes the focus; without one it is a toast.
 *
 * @param initial as saved; its type is that of the schema of the call
 */
export function useForm<Values extends object, Answer = unknown>(
  initial: Values,
  options: FormOptions<Values, Answer>,
): Form<Values> {
  const { t } = useTranslation();
  const { busy, send } = useSending();
  const [saved, setSaved] = useState(initial);
  const [values, setValues] = useState(initial);
  const [complaint, setComplaint] = useState<{ member: string; text?: string } | null>(null);
  const ids = useRef(new Map<string, string>()).current;
  useEffect(() => {
    if (complaint) document.getElementById(`field-${ids.get(complaint.member)}`)?.focus();
  }, [complaint]);

  const form: Form<Values> = {
    ...fieldsOf(values, setValues, (member, id) => {
      ids.set(member, id);
      return complaint?.member === member ? complaint.text : undefined;
    }),
    ...{ saved, busy },
    async submit() {
      const { check, save, done, fields } = options;
      const wrong = check?.(values);
      if (wrong) form.refuse(...wrong);
      if (!wrong) await options.submit?.(values);
      if (wrong || !save) return false;
      const password = typeof options.password === "function"
        ? options.password(values)
        : options.password;
      const answer = await form.send((own) => save(values, own, saved), { password, fields });
      if (!answer.ok) return false;
      setSaved(values);
      await done?.(answer.value, values, saved);
      return true;
    },
    refuse: (member, text) => setComplaint({ member, text }),
    send(call, { password, fields = {} } = {}) {
      setComplaint(null);
      return send(call, {
        password,
        refused(why, text) {
          const known = fields[why.code];
          const member = known ?? memberIn(why);
          if (member === undefined || !ids.has(member)) return false;
          setComplaint({ member, text: known ? text : t("errors.invalid_option") });
          return true;
        },
      });
    },
    reset(others) {
      setSaved(others);
      setValues(others);
    },
  };
  useUnsaved({
    name: options.title ?? "",
    isChanged: options.title !== undefined && !deepEqual(values, saved),
    save: form.submit,
  });
  return form;
}

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

/** Whether two JSON values are equal, regardless of the order of members. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => deepEqual(Reflect.get(a, key), Reflect.get(b, key)));
}
