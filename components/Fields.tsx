import { CircleAlert } from "lucide";
import type { ComponentProps, ReactNode, Ref } from "react";
import { Icon } from "./Icon.tsx";

interface FieldProps {
  /** Prefix of the ids, unique on the page. */
  name: string;
  label: string;
  hint?: string;
  /** The error message of the value; announced together with the field. */
  complaint?: string;
  /** The control, created with the attributes that link it to its label. */
  children: (control: Control) => ReactNode;
}

/** The attributes that connect a control with its label, hint and error message. */
interface Control {
  id: string;
  name: string;
  "aria-invalid"?: true;
  "aria-describedby"?: string;
}

/** A form field: the label above, a hint or error below. */
export function Field({ name, label, hint, complaint, children }: FieldProps) {
  const id = `field-${name}`;
  const note = complaint ?? hint;
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>{label}</label>
      <div className="field__box">
        {children({
          id,
          name,
          "aria-invalid": complaint ? true : undefined,
          "aria-describedby": note ? `${id}-note` : undefined,
        })}
      </div>
      {note && (
        <p id={`${id}-note`} className={complaint ? "field__complaint" : "field__hint"}>
          {note}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps
  extends Omit<ComponentProps<"input">, "id" | "name" | "ref" | "onInput" | "onChange"> {
  name: string;
  label: string;
  hint?: string;
  /** The error message of the value. */
  complaint?: string;
  /** Literal text, such as a name or a path: no autocorrection. */
  verbatim?: boolean;
  /** A button at the end of the box. */
  end?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
  /** Spaces around the text are left out while it is typed. */
  trim?: boolean;
  /** Called with the text while it is typed. */
  onChange?: (text: string) => void;
}

const VERBATIM = {
  dir: "auto",
  autoCapitalize: "none",
  autoComplete: "off",
  spellcheck: false,
} as const;

/** A text field. */
export function TextField(
  { name, label, hint, complaint, verbatim, end, inputRef, trim, onChange, ...input }:
    TextFieldProps,
) {
  return (
    <Field name={name} label={label} hint={hint} complaint={complaint}>
      {(control) => (
        <>
          <input
            type="text"
            className="field__input"
            {...verbatim && VERBATIM}
            {...input}
            {...control}
            ref={inputRef}
            onInput={onChange &&
              (({ currentTarget: { value } }) => onChange(trim ? value.trim() : value))}
          />
          {end && <span className="field__end">{end}</span>}
        </>
      )}
    </Field>
  );
}

interface NumberFieldProps {
  name: string;
  label: string;
  hint?: string;
  complaint?: string;
  value: number;
  /** The bounds, which a value is moved into when the field is left. */
  min: number;
  max: number;
  /** The unit in which the value and its bounds are shown and typed, such as a mebibyte; 1 by default. */
  unit?: number;
  onChange: (value: number) => void;
}

/** A field for a whole number between bounds. In a larger unit, fractions can be typed. */
export function NumberField({ min, max, unit = 1, value, onChange, ...field }: NumberFieldProps) {
  // Twelve digits, as a division may not be exact.
  const shown = (of: number) => Number((of / unit).toPrecision(12));
  return (
    <Field {...field}>
      {(control) => (
        <input
          type="number"
          className="field__input"
          step="any"
          min={shown(min)}
          max={shown(max)}
          value={shown(value)}
          {...control}
          onChange={({ currentTarget }) => {
            const typed = Math.round(currentTarget.valueAsNumber * unit);
            const bounded = Number.isNaN(typed) ? value : Math.min(max, Math.max(min, typed));
            currentTarget.value = String(shown(bounded));
            onChange(bounded);
          }}
        />
      )}
    </Field>
  );
}

interface SelectFieldProps<Value extends string> {
  name: string;
  label: string;
  hint?: string;
  complaint?: string;
  value: Value;
  /** The options, each with its label. */
  options: readonly (readonly [value: Value, words: string])[];
  onChange: (value: Value) => void;
}

/** A select field. */
export function SelectField<Value extends string>(
  { value, options, onChange, ...field }: SelectFieldProps<Value>,
) {
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          className="field__input"
          value={value}
          onChange={(event) => {
            const chosen = options.find(([each]) => each === event.currentTarget.value);
            if (chosen) onChange(chosen[0]);
          }}
        >
          {options.map(([each, words]) => (
            <option key={each} value={each} selected={each === value}>{words}</option>
          ))}
        </select>
      )}
    </Field>
  );
}

/**
 * The error message of a whole form. The live region is rendered even when empty, so that screen
 * readers announce a later message.
 */
export function FormError({ text }: { text: string | undefined }) {
  return (
    <div role="alert" className="form-error">
      {text && (
        <p className="form-error__text">
          <Icon glyph={CircleAlert} />
          {text}
        </p>
      )}
    </div>
  );
}

interface CheckFieldProps {
  name: string;
  label: string;
  hint?: string;
  complaint?: string;
  value: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A check box with its label. */
export function CheckField(
  { name, label, hint, complaint, value, disabled, onChange }: CheckFieldProps,
) {
  const id = `field-${name}`;
  const note = complaint ?? hint;
  return (
    <div className="check">
      <input
        type="checkbox"
        className="tick"
        id={id}
        name={name}
        checked={value}
        disabled={disabled}
        aria-invalid={complaint ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label className="check__label" htmlFor={id}>{label}</label>
      {note && (
        <p
          className={`check__hint ${complaint ? "field__complaint" : "field__hint"}`}
          id={`${id}-note`}
        >
          {note}
        </p>
      )}
    </div>
  );
}
