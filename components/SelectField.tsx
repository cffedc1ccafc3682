import { Field } from "./Field.tsx";

interface SelectFieldProps<Value extends string> {
  name: string;
  label: string;
  value: Value;
  /** What can be chosen, with the words for it. */
  options: readonly (readonly [value: Value, words: string])[];
  onChange: (value: Value) => void;
}

/** One of a few choices. */
export function SelectField<Value extends string>(
  { name, label, value, options, onChange }: SelectFieldProps<Value>,
) {
  return (
    <Field name={name} label={label}>
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
