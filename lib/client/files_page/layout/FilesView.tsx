import { Ghost, Upload } from "lucide";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { ErrorScreen, LoadFailed, StatusScreen } from "../../../../components/StatusScreen.tsx";
import { mediaTypes } from "../../../shared/schemas/choices/choices.ts";
import { FileSkeleton, ListingSkeleton } from "../listing/Skeletons.tsx";
import { ROOT } from "../../../shared/path.ts";
import type { Clock } from "../../../shared/clock.ts";
import { useFileActions, useFiles, usePlaceName } from "../../base/files/use_files.ts";
import { FileList, useMedia } from "../listing/FileList.tsx";
import type { Resource } from "../../../shared/schemas/entry.ts";
import { readmeIn } from "./readme_name.ts";
import { useLazy } from "../../base/core/use_site.ts";
import { lazy } from "../../base/core/lazy.ts";
import { chooseFiles } from "../../base/files/page_dom.ts";
import { usePage } from "../../base/core/page.ts";
import { useRootAccess } from "../../base/core/root_access.ts";

const editor = lazy(() => import("../../screens/editor/EditorView.tsx"), "text");
const listingParts = lazy(() => import("../listing/late_listing.ts"));
const pageParts = lazy(() => import("./late_page.ts"));
const preview = lazy(() => import("../../screens/preview/Preview.tsx"));
const readme = lazy(() => import("../../screens/preview/Readme.tsx"));

interface FilesViewProps {
  /** The server's clock, for the first rendering. */
  clock: Clock;
  /** The file of the page as the server draws it; absent where it draws none. */
  firstLook?: ReactNode;
}

/** The content of the files page: a folder's rows, a file, or an error screen. */
export function FilesView({ clock, firstLook }: FilesViewProps) {
  const { t } = useTranslation();
  const { listing, navigation } = useFiles();
  const may = useFileActions();
  const rootAccess = useRootAccess();
  const name = usePlaceName();
  const resource = listing.resource.value;
  const failure = listing.failure.value;
  const held = useHeldFile();
  const byThumb = useMedia("(pointer: coarse)");

  if (held) return <FileView entry={held} clock={clock} firstLook={firstLook} />;
  if (listing.status.value === "failed") {
    return (
      <ErrorScreen status={failure?.status ?? 500}>
        <Button onClick={() => void listing.reload()}>{t("buttons.retry")}</Button>
        <a className="button" data-place href={navigation.href(ROOT)}>
          {t("status.backToFiles")}
        </a>
        {failure?.status === 404 && <OpenParentLink />}
      </ErrorScreen>
    );
  }
  if (listing.status.value === "loading" || !resource) {
    return navigation.place.value.folder ? <ListingSkeleton /> : <FileSkeleton isText />;
  }
  if (!resource.isDir) {
    return <FileView entry={resource} clock={clock} firstLook={firstLook} />;
  }
  if (listing.rows.value.total === 0 && !listing.filter.value) {
    return (
      <StatusScreen
        glyph={Ghost}
        title={t("files.emptyTitle")}
        text={may.closed
          ? rootAccess.reasonAgainst(t, listing.path.value)
          : t(may.create && !byThumb ? "files.emptyText" : "files.emptyTextReadOnly")}
      >
        {may.create && (
          <Button variant="primary" glyph={Upload} onClick={() => chooseFiles()}>
            {t("commands.uploadFiles")}
          </Button>
        )}
      </StatusScreen>
    );
  }
  return (
    <FileList name={name} clock={clock}>
      <BelowRows />
    </FileList>
  );
}

/**
 * The README of the open folder below its rows, unless the user hides it; while the folder is
 * filtered, that nothing is found.
 */
function BelowRows() {
  const { listing } = useFiles();
  const { user } = usePage().data;
  const { rows, filter, path } = listing;
  const name = readmeIn(rows.value);
  const isFiltered = filter.value !== null;
  const parts = useLazy(listingParts, isFiltered);
  const mayRead = useFileActions().download && !user?.hideReadme && !isFiltered;
  const code = useLazy(readme, mayRead && name !== null);
  if (isFiltered) return parts && <parts.FilterNone />;
  return mayRead && name !== null && code
    ? <code.Readme key={path.value} folder={path.value} name={name} />
    : null;
}

/** Offers the nearest folder that is still there; its code is loaded late. */
function OpenParentLink() {
  const code = useLazy(pageParts, true);
  return code && <code.ParentLink />;
}

/**
 * The open file while it has unsaved changes or is edited with others, in its former state: it stays
 * on screen even if it is deleted or replaced on the server. Null for others.
 */
function useHeldFile(): Resource | null {
  const { listing, navigation } = useFiles();
  const last = useRef<Resource | null>(null);
  const { guard } = navigation;
  const resource = listing.resource.value;
  const isShown = listing.status.value === "ready" && resource?.isDir === false;
  if (!guard.keeps || last.current?.path !== listing.path.value) {
    last.current = isShown ? resource : null;
    return null;
  }
  const isText = resource?.type === "text" || resource?.type === "textImmutable";
  if (isShown && isText) last.current = resource;
  return last.current;
}

interface FileViewProps extends FilesViewProps {
  /** The file; text has its `content`, unless the user may not have it. */
  entry: Resource;
}

/**
 * One file: text in the editor, everything else in the preview. Both are loaded lazily. What the
 * server has drawn of the page's own file stays until then.
 */
export function FileView({ entry, clock, firstLook }: FileViewProps) {
  const { files } = usePage().data;
  const isText = entry.type === "text" || entry.type === "textImmutable";
  const code = isText ? editor : preview;
  const textEditor = editor.state.value;
  const viewer = preview.state.value;
  useEffect(() => void code.load(), [code]);
  const meanwhile = files?.path === entry.path && firstLook
    ? firstLook
    : <FileSkeleton isText={!mediaTypes.has(entry.type)} />;

  if (isText && textEditor.is === "ready" && textEditor.value.isReady(entry.name)) {
    return <textEditor.value.EditorView entry={entry} clock={clock} meanwhile={meanwhile} />;
  }
  if (!isText && viewer.is === "ready") return <viewer.value.Preview entry={entry} clock={clock} />;
  if (code.state.value.is === "failed") return <LoadFailed onRetry={() => void code.load()} />;
  return <>{meanwhile}</>;
}
