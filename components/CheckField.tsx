interface CheckFieldProps {
  name: string;
  label: string;
  hint?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** Something that holds or not: a box to tick, with its words beside it. */
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
