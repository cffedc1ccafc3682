import { FolderPlus, Ghost } from "lucide";
import { Button } from "../../../components/Button.tsx";
import { ErrorScreen } from "../ui/ErrorScreen.tsx";
import { FileSkeleton } from "./FileSkeleton.tsx";
import { ListingSkeleton } from "../listing/ListingSkeleton.tsx";
import { StatusScreen } from "../../../components/StatusScreen.tsx";
import { ROOT } from "../../shared/path.ts";
import type { Clock } from "../core/use_clock.ts";
import { useFileActions } from "../menu/use_file_actions.ts";
import { useFiles } from "./use_files.ts";
import { useHeldFile } from "../drag/use_held_file.ts";
import { useMedia } from "../ui/use_media.ts";
import { usePlaceName } from "../core/use_place_name.ts";
import { useTranslation } from "../core/use_translation.ts";
import { FileList } from "../listing/FileList.tsx";
import { FileView } from "./FileView.tsx";

interface FilesViewProps {
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/** What the files page shows of the present place: a folder's rows, a file, or why there is none. */
export function FilesView({ clock }: FilesViewProps) {
  const { t } = useTranslation();
  const { listing, navigation, actions } = useFiles();
  const may = useFileActions();
  const name = usePlaceName();
  const resource = listing.resource.value;
  const failure = listing.failure.value;
  const held = useHeldFile();
  const byThumb = useMedia("(pointer: coarse)");

  if (held) return <FileView entry={held} clock={clock} />;
  if (listing.status.value === "failed") {
    return (
      <ErrorScreen status={failure?.status ?? 500}>
        <Button onClick={() => void listing.reload()}>{t("buttons.retry")}</Button>
        <a className="button button--primary" data-place href={navigation.href(ROOT)}>
          {t("status.backToFiles")}
        </a>
      </ErrorScreen>
    );
  }
  if (listing.status.value === "loading" || !resource) {
    return navigation.place.value.folder ? <ListingSkeleton /> : <FileSkeleton isText />;
  }
  if (!resource.isDir) return <FileView entry={resource} clock={clock} />;
  if (listing.rows.value.total === 0) {
    return (
      <StatusScreen
        glyph={Ghost}
        title={t("files.emptyTitle")}
        text={may.create && !byThumb ? t("files.emptyText") : t("files.emptyTextReadOnly")}
      >
        {may.create && (
          <Button glyph={FolderPlus} onClick={() => void actions.newFolder()}>
            {t("buttons.newFolder")}
          </Button>
        )}
      </StatusScreen>
    );
  }
  return <FileList name={name} clock={clock} />;
}
