import { Download } from "lucide";
import { type ComponentProps, type ComponentType, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { FilePage } from "../../files_page/layout/FilePage.tsx";
import { mayBeLargeText } from "./large_text.ts";
import { OfficeHint } from "./documents/OfficeHint.tsx";
import { LargeTextView } from "./LargeTextView.tsx";
import { PictureView } from "./picture/PictureView.tsx";
import type { FilmFrame, FilmPlayer } from "./film/FilmPlayer.tsx";
import type { PlayerView } from "./player/PlayerView.tsx";
import type { Entry, Resource } from "../../../shared/schemas/entry.ts";
import type { ImageViewport } from "./picture/image_viewport.ts";
import type { PdfReaderProps } from "./pdf/PdfReader.tsx";
import type { PreviewSource } from "./preview_source.ts";
import type { Clock } from "../../../shared/clock.ts";
import { Button } from "../../../../components/Button.tsx";
import { ErrorScreen, LoadFailed } from "../../../../components/StatusScreen.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import {
  isArchiveName,
  isOfficeName,
  isTableName,
  isWordName,
  isWorkbookName,
} from "../../../shared/file_kinds.ts";
import { type Lazy, lazy } from "../../base/core/lazy.ts";
import { FileSkeleton } from "../../files_page/listing/Skeletons.tsx";
import { type EntryPath, parsePath } from "../../../shared/path.ts";
import { usePage } from "../../base/core/page.ts";
import { useApi, useMaySave } from "../../base/core/use_site.ts";

interface ContentProps {
  entry: Resource;
  /** Null without permission to read the content. */
  source: PreviewSource | null;
  viewport: ImageViewport;
  /** Plays a sound or video at once. */
  autoPlay: boolean;
  /** Called at the end of a sound or video. */
  onEnded: () => void;
  /** The server's clock, for the first rendering. */
  clock: Clock;
  /** What a film has of the preview. */
  film: FilmFrame;
}

const films = lazy(() => import("./film/FilmPlayer.tsx"), "players");
const sounds = lazy(() => import("./player/PlayerView.tsx"), "players");

/** The preview of a file by its type; for other types its details and links. */
export function Content(
  { entry, source, viewport, autoPlay, onEnded, clock, film }: ContentProps,
) {
  const { t } = useTranslation();
  const trouble = source?.trouble.value;
  if (source && trouble?.is === "refused") {
    return (
      <ErrorScreen status={trouble.why.status}>
        <Button onClick={() => source.retry()}>{t("buttons.retry")}</Button>
        {isPlayed(entry) && trouble.why.status >= 429 && (
          <DownloadLink path={parsePath(entry.path).path} />
        )}
      </ErrorScreen>
    );
  }
  const facts = (
    <NoPreview entry={entry} source={source} clock={clock} isUnknown={trouble != null} />
  );
  if (trouble || isEmpty(entry)) return facts;
  if (source) {
    switch (entry.type) {
      case "image":
        return <PictureView entry={entry} source={source} viewport={viewport} />;
      case "video":
        return <LateFilm {...{ entry, source, autoPlay, onEnded, frame: film }} />;
      case "audio":
        return <LateSound {...{ entry, source, autoPlay, onEnded }} />;
      case "pdf":
        return <PdfView entry={entry} source={source} />;
    }
  }
  const code = source && readerOf(entry);
  if (code) return <LateReader code={code} entry={entry} source={source} clock={clock} />;
  if (!source || !mayBeLargeText(entry)) return facts;
  return <LargeTextView entry={entry} source={source} otherwise={facts} />;
}

/** Whether there is nothing to show; of what the server converts, its reader says so. */
export function isEmpty({ name, size }: Pick<Entry, "name" | "size">): boolean {
  return size === 0 && !isOfficeName(name);
}

/** Whether the server may have to convert it, which may fail while the file itself is there. */
function isPlayed({ type }: Pick<Entry, "type">): boolean {
  return type === "video" || type === "audio";
}

/** The player of a film, once it is loaded. */
function LateFilm(props: ComponentProps<typeof FilmPlayer>) {
  useEffect(() => void films.load(), []);
  const state = films.state.value;
  if (state.is === "failed") return <LoadFailed onRetry={() => void films.load()} />;
  return state.is === "ready" && <state.value.FilmPlayer {...props} />;
}

/** The player of a sound, once it is loaded. */
function LateSound(props: ComponentProps<typeof PlayerView>) {
  useEffect(() => void sounds.load(), []);
  const state = sounds.state.value;
  if (state.is === "failed") return <LoadFailed onRetry={() => void sounds.load()} />;
  return state.is === "ready" && <state.value.PlayerView {...props} />;
}

interface NoPreviewProps extends Pick<ContentProps, "entry" | "source" | "clock"> {
  /** The user may read it. */
  isReadable?: boolean;
  /** The browser can't decode it. */
  isUnknown?: boolean;
}

/** The screen for all that can't be shown, with its reason. */
export function NoPreview(
  { entry, source, clock, isReadable = source !== null, isUnknown = false }: NoPreviewProps,
) {
  const { t } = useTranslation();
  const { config } = usePage().data;
  const note = isEmpty(entry)
    ? t("share.empty")
    : !isUnknown
    ? t("preview.none")
    : entry.type !== "video"
    ? t("preview.unknownText")
    : t(config.EnableStreams ? "film.unplayable" : "film.noConverter");
  return (
    <div className="viewer__facts">
      <FilePage entry={entry} clock={clock} />
      {isReadable && <p className="viewer__note">{note}</p>}
    </div>
  );
}

interface PdfViewProps {
  entry: Entry;
  source: PreviewSource;
}

/** A PDF in the browser's viewer, or in ours where it has none. */
function PdfView({ entry, source }: PdfViewProps) {
  const { t } = useTranslation();
  const [isChecked, setChecked] = useState(false);
  const address = source.address.value;
  useEffect(() => {
    void source.check().then((isThere) => isThere && setChecked(true));
  }, [source]);

  if (!isChecked) return <p className="unseen" role="status">{t("files.loading")}</p>;
  return (
    <Paper
      name={entry.name}
      address={address}
      isWhole={source.isTicketed}
      otherwise={<DownloadLink path={parsePath(entry.path).path} />}
    />
  );
}

/** A PDF by its address, in the browser's viewer, or in ours where it has none. */
export function Paper({ name, ...props }: PdfReaderProps) {
  const isOwn = navigator.pdfViewerEnabled !== false;
  useEffect(() => void (isOwn || papers.load()), [isOwn]);
  if (isOwn) return <iframe className="viewer__paper" src={props.address} title={name} />;
  const state = papers.state.value;
  if (state.is === "failed") return <LoadFailed onRetry={() => void papers.load()} />;
  if (state.is === "loading") return <FileSkeleton isText />;
  return <state.value.PdfReader key={props.address} name={name} {...props} />;
}

/** The props of every reader. */
export interface ReaderProps {
  entry: Resource;
  source: PreviewSource;
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

type ReaderModule = { Reader: ComponentType<ReaderProps> };

const archives = lazy(() => import("./archive/ArchiveView.tsx"));
const books = lazy(() => import("./documents/BookView.tsx"));
const office = lazy(() => import("./documents/OfficeView.tsx"));
const papers = lazy(() => import("./pdf/PdfReader.tsx"));
const converted = lazy(() => import("./documents/ConvertedView.tsx"));
const tables = lazy(() => import("./table/TableView.tsx"));

/** The code that shows a file of a kind, which is loaded with the first of them; null for others. */
function readerOf({ name }: Pick<Resource, "name">): Lazy<ReaderModule> | null {
  if (isArchiveName(name)) return archives;
  if (isTableName(name)) return tables;
  if (/\.epub$/i.test(name)) return books;
  if (isWordName(name) || isWorkbookName(name)) return office;
  if (isOfficeName(name)) return converted;
  return null;
}

/** Whether a file is shown by late code, or may be, as a text that is read in parts. */
export function hasReader(entry: Resource): boolean {
  return readerOf(entry) !== null || mayBeLargeText(entry);
}

/** Shows a file by the code for its kind. */
function LateReader({ code, ...props }: ReaderProps & { code: Lazy<ReaderModule> }) {
  useEffect(() => void code.load(), [code]);
  const state = code.state.value;
  if (state.is === "failed") return <LoadFailed onRetry={() => void code.load()} />;
  if (state.is !== "ready") return <FileSkeleton isText />;
  return (
    <>
      <state.value.Reader {...props} />
      <OfficeHint name={props.entry.name} />
    </>
  );
}

/** The way to save a file that is not shown, for those who may. */
export function DownloadLink({ path }: { path: EntryPath }) {
  const { t } = useTranslation();
  const api = useApi();
  const maySave = useMaySave();
  return maySave && (
    <a className="button button--primary" href={api.rawAddress(path)} download>
      <Icon glyph={Download} />
      {t("buttons.download")}
    </a>
  );
}
