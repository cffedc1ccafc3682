import { useState } from "react";
import { archiveKinds, lastArchiveKind, rememberArchiveKind } from "./archive_kinds.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Prompt } from "../../../components/Prompt.tsx";
import type { PromptBodyProps } from "../prompts/prompt_bodies.ts";

/** Asks for the kind of archive to download; the last one is chosen at first. */
export function DownloadPrompt({ asks, onAnswer, onClose }: PromptBodyProps<"download">) {
  const { t } = useTranslation();
  const [kind, setKind] = useState(lastArchiveKind);
  const name = asks.name === "" ? t("files.myFiles") : asks.name;
  return (
    <Prompt
      title={name === undefined
        ? t("prompts.downloadMany", { count: asks.count })
        : t("prompts.downloadOne", { name })}
      act={t("buttons.download")}
      onAct={() => {
        rememberArchiveKind(kind);
        onAnswer(kind);
      }}
      onClose={onClose}
    >
      <fieldset className="formats">
        <legend className="prompt__text">{t("prompts.downloadText")}</legend>
        {archiveKinds.map((each) => (
          <label className="format" key={each}>
            <input
              type="radio"
              name="format"
              value={each}
              checked={each === kind}
              autofocus={each === kind}
              onChange={() => setKind(each)}
            />
            {each}
          </label>
        ))}
      </fieldset>
    </Prompt>
  );
}
