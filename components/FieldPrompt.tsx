import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { nameFault } from "../lib/client/base/core/names.ts";
import type { NameQuestion } from "../lib/client/base/prompts/prompts.ts";
import { TextField } from "./Fields.tsx";
import { Prompt } from "./Prompt.tsx";

interface FieldPromptProps extends ComponentProps<typeof Prompt> {
  field: ComponentProps<typeof TextField> & { value: string };
  /** The length of the part that is selected at first; all of it by default. */
  replaceable?: number;
}

/** A prompt for a text: its field has the focus, and what can be replaced is selected. */
export function FieldPrompt(
  { field, replaceable = field.value.length, children, ...prompt }: FieldPromptProps,
) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.setSelectionRange(0, replaceable);
  }, []);
  return (
    <Prompt {...prompt}>
      <TextField {...field} inputRef={input} />
      {children}
    </Prompt>
  );
}

/**
 * The field for the name of an entry, validated while typing. It shows the error message of the last
 * attempt until the name is changed.
 */
export function useNameField(
  { initial, taken, complaint: former }: Partial<NameQuestion>,
  typed: string,
  name: string,
  onChange: (typed: string) => void,
  fault = nameFault(name),
) {
  const { t } = useTranslation();
  const complaint = former && typed === initial ? former : complaintOf();
  return {
    isValid: fault === null && complaint === undefined,
    field: {
      ...{ name: "name", label: t("prompts.name"), verbatim: true },
      ...{ value: typed, complaint, onChange },
    },
  };

  function complaintOf(): string | undefined {
    if (fault) return typed === "" ? undefined : t(`names.${fault}`);
    return taken?.(name) ? t("prompts.taken", { name }) : undefined;
  }
}
