import { useState } from "react";
import { wordsIn } from "./words.ts";
import { TextField } from "../../../../components/TextField.tsx";

interface WordsFieldProps {
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
  words: readonly string[];
  onChange: (words: string[]) => void;
}

/** A list of words, with spaces between them. */
export function WordsField({ words, onChange, ...rest }: WordsFieldProps) {
  const [text, setText] = useState(words.join(" "));
  return (
    <TextField
      {...rest}
      verbatim
      dir="ltr"
      value={text}
      onInput={(event) => {
        setText(event.currentTarget.value);
        onChange(wordsIn(event.currentTarget.value));
      }}
    />
  );
}
