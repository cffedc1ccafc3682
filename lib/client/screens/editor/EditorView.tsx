import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { ErrorScreen } from "../../../../components/StatusScreen.tsx";
import { FilePage } from "../../files_page/layout/FilePage.tsx";
import { FileSkeleton } from "../../files_page/listing/Skeletons.tsx";
import { TextScreen } from "./TextScreen.tsx";
import type { Resource } from "../../../shared/api_types.ts";
import { useTextFile } from "./use_text_file.ts";
import { usePage } from "../../base/core/page.ts";
import type { Clock } from "../../../shared/clock.ts";

interface EditorViewProps {
  /** The file; its text is loaded if missing. */
  entry: Resource;
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/** A text file in the editor. Users who may not read the text see the file's details. */
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
          <Button variant="primary" onClick={() => void file.load()}>{t("buttons.retry")}</Button>
        </ErrorScreen>
      );
    case "loading":
      // Keep the server-rendered content until the text is loaded.
      return files?.path === entry.path
        ? <FilePage entry={entry} clock={clock} />
        : <FileSkeleton isText />;
  }
}
