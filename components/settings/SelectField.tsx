interface SelectFieldProps<Value extends string> {
  name: string;
  label: string;
  hint?: string;
  value: Value;
  /** What can be chosen, with the words for it. */
  options: readonly (readonly [value: Value, words: string])[];
  onChange: (value: Value) => void;
}

/** One of a few choices. */
export function SelectField<Value extends string>(
  { name, label, hint, value, options, onChange }: SelectFieldProps<Value>,
) {
  const id = `field-${name}`;
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>{label}</label>
      <div className="field__box">
        <select
          id={id}
          name={name}
          className="field__input"
          value={value}
          aria-describedby={hint ? `${id}-note` : undefined}
          onChange={(event) => {
            const chosen = options.find(([each]) => each === event.currentTarget.value);
            if (chosen) onChange(chosen[0]);
          }}
        >
          {options.map(([each, words]) => (
            <option key={each} value={each} selected={each === value}>{words}</option>
          ))}
        </select>
      </div>
      {hint && <p className="field__hint" id={`${id}-note`}>{hint}</p>}
    </div>
  );
}
