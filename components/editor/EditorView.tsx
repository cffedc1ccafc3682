import { Button } from "../Button.tsx";
import { ErrorScreen } from "../StatusScreen.tsx";
import { FilePage } from "../FilePage.tsx";
import { FileSkeleton } from "../Skeletons.tsx";
import { TextScreen } from "./TextScreen.tsx";
import type { Resource } from "../../lib/api_types.ts";
import { useTextFile } from "../../lib/client/editor/use_text_file.ts";
import { usePage } from "../../lib/client/page.ts";
import type { Clock } from "../../lib/client/use_clock.ts";
import { useTranslation } from "../../lib/i18n/use_translation.ts";

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
      // Keep the server-rendered content until the text is loaded.
      return files?.path === entry.path
        ? <FilePage entry={entry} clock={clock} />
        : <FileSkeleton isText />;
  }
}
