import { useTranslation } from "react-i18next";
import { Prompt } from "../../../../components/Prompt.tsx";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { EntryDetails } from "./EntryDetails.tsx";
import { ManyDetails } from "./ManyDetails.tsx";

/** Shows the details of one entry, or the totals of several, where there is no room at the side. */
export function InfoPrompt({ input, onClose }: PromptBodyProps<"info">) {
  const { t } = useTranslation();
  const [first] = input.entries;
  const only = input.count === 1 ? first : undefined;
  const title = only ? only.name || t("files.myFiles") : t("info.many", { count: input.count });
  return (
    <Prompt title={title} onClose={onClose} tall>
      {only ? <EntryDetails entry={only} onRestored={onClose} /> : <ManyDetails input={input} />}
    </Prompt>
  );
}
