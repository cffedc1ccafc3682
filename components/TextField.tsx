import type { ComponentProps, ReactNode, Ref } from "react";

interface TextFieldProps extends Omit<ComponentProps<"input">, "id" | "name" | "ref"> {
  /** Names the value, and, once a page, the elements that belong together. */
  name: string;
  label: string;
  hint?: string;
  /** What is wrong with the value; announced together with the field. */
  complaint?: string;
  /** A button at the end of the box. */
  end?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
}

/** One line of text to fill in: the label above, a hint or a complaint below. */
export function TextField(
  { name, label, hint, complaint, end, inputRef, ...input }: TextFieldProps,
) {
  const id = `field-${name}`;
  const note = complaint ?? hint;
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>{label}</label>
      <div className="field__box">
        <input
          type="text"
          {...input}
          ref={inputRef}
          id={id}
          name={name}
          className="field__input"
          aria-invalid={complaint ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
        />
        {end && <span className="field__end">{end}</span>}
      </div>
      {note && (
        <p id={`${id}-note`} className={complaint ? "field__complaint" : "field__hint"}>
          {note}
        </p>
      )}
    </div>
  );
}
