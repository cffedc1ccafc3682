import type { HookEvent, Settings } from "../../../shared/api_types.ts";
import { usePage } from "../../core/page.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { LinesField } from "./LinesField.tsx";

const DEEDS = ["save", "copy", "rename", "upload", "delete"] as const;

interface RunnerFieldsProps {
  commands: Settings["commands"];
  onChange: (commands: Settings["commands"]) => void;
}

/** The command lines that run before and after something is done. */
export function RunnerFields({ commands, onChange }: RunnerFieldsProps) {
  const { t } = useTranslation();
  const { EnableExec } = usePage().data.config;
  const events = DEEDS.flatMap((deed): HookEvent[] => [`before_${deed}`, `after_${deed}`]);
  return (
    <>
      {!EnableExec && <p className="notice">{t("settings.runnerOff")}</p>}
      <div className="fields">
        {events.map((event) => (
          <LinesField
            key={event}
            name={event}
            label={t(`settings.events.${event}`)}
            lines={commands[event]}
            onChange={(lines) => onChange({ ...commands, [event]: lines })}
          />
        ))}
      </div>
    </>
  );
}
