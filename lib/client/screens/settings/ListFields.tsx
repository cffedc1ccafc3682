import { useState } from "react";
import { Field, TextField } from "../../../../components/Fields.tsx";

interface WordsFieldProps {
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
  complaint?: string;
  value: readonly string[];
  onChange: (words: string[]) => void;
}

/** A list of words, separated by spaces. */
export function WordsField({ value, onChange, ...rest }: WordsFieldProps) {
  const [text, setText] = useState(value.join(" "));
  return (
    <TextField
      {...rest}
      verbatim
      dir="ltr"
      value={text}
      onChange={(text) => {
        setText(text);
        onChange(wordsIn(text));
      }}
    />
  );
}

interface LinesFieldProps {
  name: string;
  label: string;
  complaint?: string;
  value: readonly string[];
  onChange: (lines: string[]) => void;
}

/** A list of lines. */
export function LinesField({ value, onChange, ...field }: LinesFieldProps) {
  const [text, setText] = useState(value.join("\n"));
  return (
    <Field {...field}>
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

/** The words of a line, split at spaces. */
export function wordsIn(line: string): string[] {
  return line.trim().split(/\s+/).filter((word) => word !== "");
}

/** The lines of a text that are not blank. */
export function linesIn(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}
