import type { ComponentProps, ReactNode, Ref } from "react";
import { Field } from "./Field.tsx";

interface TextFieldProps extends Omit<ComponentProps<"input">, "id" | "name" | "ref"> {
  name: string;
  label: string;
  hint?: string;
  /** What is wrong with the value. */
  complaint?: string;
  /** It is taken letter by letter, such as a name or a path: nothing is to be put right in it. */
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

/** One line of text to fill in. */
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
