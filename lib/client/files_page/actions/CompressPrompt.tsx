import { useState } from "react";
import { useTranslation } from "react-i18next";
import { cleanName } from "../../base/core/names.ts";
import { FieldPrompt, useNameField } from "../../../../components/FieldPrompt.tsx";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { lastArchiveKind, rememberArchiveKind } from "./last_choices.ts";
import { ArchiveFormats } from "./Formats.tsx";

/** Asks for the name and the kind of an archive to make; the last kind is chosen at first. */
export function CompressPrompt({ input, onAnswer, onClose }: PromptBodyProps<"compress">) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(input.name);
  const [format, setFormat] = useState(lastArchiveKind);
  const name = cleanName(typed);
  const { field, isValid } = useNameField({}, typed, name, setTyped);
  return (
    <FieldPrompt
      title={t("prompts.compressTitle")}
      act={t("buttons.compress")}
      field={field}
      incomplete={!isValid}
      onAct={() => {
        rememberArchiveKind(format);
        onAnswer({ name: `${name}.${format}`, format });
      }}
      onClose={onClose}
    >
      <ArchiveFormats chosen={format} onChoose={setFormat} />
    </FieldPrompt>
  );
}
