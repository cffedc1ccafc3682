import { Button } from "../../../components/Button.tsx";
import { ErrorScreen } from "../ui/ErrorScreen.tsx";
import { FilePage } from "../navigation/FilePage.tsx";
import { FileSkeleton } from "../navigation/FileSkeleton.tsx";
import { TextScreen } from "./TextScreen.tsx";
import type { Resource } from "../../shared/api_types.ts";
import { useTextFile } from "./use_text_file.ts";
import { usePage } from "../core/page.ts";
import type { Clock } from "../core/use_clock.ts";
import { useTranslation } from "../core/use_translation.ts";

interface EditorViewProps {
  /** The file; its text is read when it is not there yet. */
  entry: Resource;
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/** A text file, to read and to change. Who may not have its text is shown its facts. */
export function EditorView({ entry, clock }: EditorViewProps) {
  const { t } = useTranslation();
  const { files } = usePage().data;
  const file = useTextFile(entry);
  switch (file.status.value) {
    case "ready":
      return <TextScreen key={file.path} file={file} name={entry.name} />;
    case "withheld":
      return <FilePage entry={entry} clock={clock} />;
    case "failed":
      return (
        <ErrorScreen status={file.trouble.value?.status ?? 500}>
          <Button look="primary" onClick={() => void file.load()}>{t("buttons.retry")}</Button>
        </ErrorScreen>
      );
    case "loading":
      // What the server has rendered stays until the text is there.
      return files?.path === entry.path
        ? <FilePage entry={entry} clock={clock} />
        : <FileSkeleton isText />;
  }
}
