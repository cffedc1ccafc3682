import type { ReactNode } from "react";

interface FieldProps {
  /** Names the elements that belong together, once a page. */
  name: string;
  label: string;
  hint?: string;
  /** What is wrong with the value; announced together with the field. */
  complaint?: string;
  /** The control, made with what ties it to its words. */
  children: (control: Control) => ReactNode;
}

/** What ties a control to the label and to the words below it. */
interface Control {
  id: string;
  name: string;
  "aria-invalid"?: true;
  "aria-describedby"?: string;
}

/** Something to fill in: the label above, a hint or a complaint below. */
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
