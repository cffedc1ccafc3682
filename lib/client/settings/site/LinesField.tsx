import { useState } from "react";
import { linesIn } from "./words.ts";
import { Field } from "../../../../components/Field.tsx";

interface LinesFieldProps {
  name: string;
  label: string;
  lines: readonly string[];
  onChange: (lines: string[]) => void;
}

/** A list of lines, one below the other. */
export function LinesField({ name, label, lines, onChange }: LinesFieldProps) {
  const [text, setText] = useState(lines.join("\n"));
  return (
    <Field name={name} label={label}>
      {(control) => (
        <textarea
          {...control}
          className="field__input field__input--lines"
          rows={2}
          spellcheck={false}
          dir="ltr"
          autoCapitalize="none"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            onChange(linesIn(event.currentTarget.value));
          }}
        />
      )}
    </Field>
  );
}
