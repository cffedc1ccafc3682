import { usePage } from "../../core/page.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { WordsField } from "../site/WordsField.tsx";

interface CommandsFieldProps {
  commands: readonly string[];
  onChange: (commands: string[]) => void;
}

/** The programs that a user may run; nothing where the server runs none. */
export function CommandsField({ commands, onChange }: CommandsFieldProps) {
  const { t } = useTranslation();
  if (!usePage().data.config.EnableExec) return null;
  return (
    <WordsField
      name="commands"
      label={t("settings.commands")}
      hint={t("settings.commandsHint")}
      placeholder="git svn hg"
      words={commands}
      onChange={onChange}
    />
  );
}
