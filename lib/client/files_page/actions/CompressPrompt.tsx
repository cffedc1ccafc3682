import { useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "../../../../components/Fields.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";
import { cleanName, nameFault } from "../../base/core/names.ts";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { lastArchiveKind, rememberArchiveKind } from "./last_choices.ts";
import { ArchiveFormats } from "./ArchiveFormats.tsx";

/** Asks for the name and the kind of an archive to make; the last kind is chosen at first. */
export function CompressPrompt({ input, onAnswer, onClose }: PromptBodyProps<"compress">) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(input.name);
  const [format, setFormat] = useState(lastArchiveKind);
  const field = useRef<HTMLInputElement>(null);
  const name = cleanName(typed);
  const fault = nameFault(name);
  useLayoutEffect(() => field.current?.select(), []);
  return (
    <Prompt
      title={t("prompts.compressTitle")}
      act={t("buttons.compress")}
      incomplete={fault !== null}
      onAct={() => {
        rememberArchiveKind(format);
        onAnswer({ name: `${name}.${format}`, format });
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t("prompts.name")}
        value={typed}
        complaint={fault && typed !== "" ? t(`names.${fault}`) : undefined}
        inputRef={field}
        onChange={setTyped}
        verbatim
      />
      <ArchiveFormats chosen={format} onChoose={setFormat} />
    </Prompt>
  );
}
