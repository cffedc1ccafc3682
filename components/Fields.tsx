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

interface TextFieldProps extends Omit<ComponentProps<"input">, "id" | "name" | "ref"> {
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
}

const VERBATIM = {
  dir: "auto",
  autoCapitalize: "none",
  autoComplete: "off",
  spellcheck: false,
} as const;

/** A text field. */
export function TextField(
  { name, label, hint, complaint, verbatim, end, inputRef, ...input }: TextFieldProps,
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
  value: number;
  /** The bounds, which a value is moved into when the field is left. */
  min: number;
  max: number;
  onChange: (value: number) => void;
}

/** A field for a number between bounds. */
export function NumberField({ min, max, value, onChange, ...field }: NumberFieldProps) {
  return (
    <TextField
      {...field}
      type="number"
      step="any"
      min={min}
      max={max}
      value={value}
      onChange={(event) => {
        const { valueAsNumber } = event.currentTarget;
        const bounded = Number.isNaN(valueAsNumber)
          ? value
          : Math.min(max, Math.max(min, valueAsNumber));
        event.currentTarget.value = String(bounded);
        onChange(bounded);
      }}
    />
  );
}

interface SelectFieldProps<Value extends string> {
  name: string;
  label: string;
  hint?: string;
  value: Value;
  /** The options, each with its label. */
  options: readonly (readonly [value: Value, words: string])[];
  onChange: (value: Value) => void;
}

/** A select field. */
export function SelectField<Value extends string>(
  { name, label, hint, value, options, onChange }: SelectFieldProps<Value>,
) {
  return (
    <Field name={name} label={label} hint={hint}>
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
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A check box with its label. */
export function CheckField({ name, label, hint, checked, disabled, onChange }: CheckFieldProps) {
  const id = `field-${name}`;
  return (
    <div className="check">
      <input
        type="checkbox"
        className="tick"
        id={id}
        name={name}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label className="check__label" htmlFor={id}>{label}</label>
      {hint && <p className="check__hint field__hint" id={`${id}-note`}>{hint}</p>}
    </div>
  );
}
