import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ArchiveFormats } from "./Formats.tsx";
import { lastArchiveKind, rememberArchiveKind } from "./last_choices.ts";
import { Prompt } from "../../../../components/Prompt.tsx";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";

/** Asks for the kind of archive to download; the last one is chosen at first. */
export function DownloadPrompt({ input, onAnswer, onClose }: PromptBodyProps<"download">) {
  const { t } = useTranslation();
  const [kind, setKind] = useState(lastArchiveKind);
  const name = input.name === "" ? t("files.myFiles") : input.name;
  return (
    <Prompt
      title={name === undefined
        ? t("prompts.downloadMany", { count: input.count })
        : t("prompts.downloadOne", { name })}
      act={t("buttons.download")}
      onAct={() => {
        rememberArchiveKind(kind);
        onAnswer(kind);
      }}
      onClose={onClose}
    >
      <ArchiveFormats chosen={kind} onChoose={setKind} focused />
    </Prompt>
  );
}
