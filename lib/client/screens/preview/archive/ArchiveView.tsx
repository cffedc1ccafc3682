import {
  ChevronLeft,
  Download,
  FileArchive,
  FileQuestion,
  FolderInput,
  Lock,
  PackageOpen,
  PackageX,
} from "lucide";
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../../components/Button.tsx";
import { StatusScreen } from "../../../../../components/StatusScreen.tsx";
import { type EntryPath, nameOf, parentOf, parsePath, ROOT } from "../../../../shared/path.ts";
import { displayName } from "../../../../shared/entry_names.ts";
import { reasonOf } from "../../../base/api/reasons.ts";
import { formatBytes, formatList } from "../../../base/core/format.ts";
import { useApi, useMay } from "../../../base/core/use_site.ts";
import { FileSkeleton } from "../../../files_page/listing/Skeletons.tsx";
import { useFileActions, useFiles } from "../../../base/files/use_files.ts";
import { DownloadLink, Paper, type ReaderProps } from "../Content.tsx";
import { ArchiveApi, ArchiveContents, type ArchiveState } from "./archive_contents.ts";
import { ArchiveTable, moveFocus } from "./ArchiveTable.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import type { ArchiveEntry } from "../../../../shared/schemas/archive.ts";
import { charsetOf, textOf } from "../large_text.ts";

/** An archive as a folder: its entries, a file of it, and what can be extracted. */
export function Reader({ entry, clock }: ReaderProps) {
  const { t } = useTranslation();
  const { navigation } = useFiles();
  const { calls } = useApi();
  const { path: archive } = parsePath(entry.path);
  const root = useRef<HTMLElement>(null);
  const api = useMemo(() => new ArchiveApi(calls), [calls]);
  const contents = useMemo(() => new ArchiveContents(api, archive), [api, archive, entry.modified]);
  useEffect(() => {
    void contents.open(ROOT);
    return () => contents.close();
  }, [contents]);

  const state = contents.state.value;
  const opened = contents.opened.value;
  const inside = contents.folder.value?.path;
  const first = useRef(true);
  // The pressed element is gone with its folder: the keys go on to work inside of the archive.
  useLayoutEffect(() => {
    if (state.is !== "ready") return;
    const element = root.current;
    const isLost = element !== null && !element.contains(document.activeElement);
    if (isLost && !first.current) element.focus({ preventScroll: true });
    first.current = false;
  }, [state.is, inside, opened]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    moveFocus(event);
    const goesUp = event.key === "Backspace" || (event.key === "ArrowUp" && event.altKey);
    if (event.key !== "Escape" && !goesUp) return;
    event.preventDefault();
    const mayGoUp = goesUp || opened !== null;
    if (!mayGoUp || !contents.up()) navigation.leave();
  };
  return (
    <section
      className="archive"
      ref={root}
      tabIndex={-1}
      data-own-keys
      aria-label={t("archive.label", { name: displayName(entry.name) })}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.stopPropagation()}
    >
      {state.is === "ready"
        ? (
          <>
            <ArchiveBar contents={contents} name={displayName(entry.name)} />
            {opened
              ? <ArchivedFile key={opened.path} api={api} archive={archive} entry={opened} />
              : (
                <ArchiveTable
                  contents={contents}
                  name={displayName(entry.name)}
                  clock={clock}
                  addressOf={({ path }) => api.address(archive, path)}
                />
              )}
          </>
        )
        : <Waiting archive={archive} state={state} onRetry={() => void contents.open(ROOT)} />}
    </section>
  );
}

interface WaitingProps {
  archive: EntryPath;
  state: Exclude<ArchiveState, { is: "ready" }>;
  onRetry: () => void;
}

/** Tells how far an archive has been read, or why it can't be. */
function Waiting({ archive, state, onRetry }: WaitingProps) {
  const { t, i18n: { language } } = useTranslation();
  if (state.is === "failed") {
    const isUnread = state.why.code === "not_supported";
    const reason = isUnread ? t("archive.damaged") : reasonOf(t, state.why);
    return (
      <StatusScreen glyph={PackageX} title={t("archive.failedTitle")} text={reason}>
        <DownloadLink path={archive} />
        <Button onClick={onRetry}>{t("buttons.retry")}</Button>
      </StatusScreen>
    );
  }
  const { progress } = state;
  if (!progress) return <FileSkeleton isText />;
  return (
    <div className="archive__wait">
      <progress
        max={progress.size}
        value={progress.bytes}
        aria-label={t("archive.reading")}
      />
      <p role="status">
        {t("archive.readingOf", {
          done: formatBytes(progress.bytes, language),
          size: formatBytes(progress.size, language),
        })}
      </p>
    </div>
  );
}

interface ArchiveBarProps {
  contents: ArchiveContents;
  /** The name of the archive. */
  name: string;
}

/** The way to the open folder, and the buttons to extract. */
function ArchiveBar({ contents, name }: ArchiveBarProps) {
  const { t, i18n: { language } } = useTranslation();
  const { actions } = useFiles();
  const may = useMay();
  const { closed } = useFileActions();
  const folder = contents.folder.value;
  const opened = contents.opened.value;
  const inside = (folder?.path ?? ROOT) as EntryPath;
  const selected = contents.selected.value;
  const names = selected.size > 0 ? [...selected] : opened ? [opened.path] : undefined;
  const above: EntryPath[] = [];
  for (let path = inside; path !== ROOT; path = parentOf(path)) above.unshift(path);
  // The head has the name of the archive.
  const { numDirs = 0, numFiles = 0 } = folder ?? {};
  const counts = formatList([
    numDirs > 0 && t("files.folderCount", { count: numDirs }),
    numFiles > 0 && t("files.fileCount", { count: numFiles }),
  ], language);
  return (
    <div className="archive__bar">
      {(inside !== ROOT || opened) && (
        <IconButton
          label={t("archive.up")}
          glyph={ChevronLeft}
          mirror
          onClick={() => contents.up()}
        />
      )}
      <nav className="archive__way" aria-label={t("archive.way")}>
        {(inside !== ROOT || opened) && (
          <IconButton
            label={name}
            glyph={FileArchive}
            onClick={() => void contents.open(ROOT)}
          />
        )}
        {above.map((path) => (
          <button
            key={path}
            type="button"
            className="button button--quiet"
            aria-current={path === inside && !opened ? "location" : undefined}
            onClick={() => void contents.open(path)}
          >
            <bdi>{displayName(nameOf(path))}</bdi>
          </button>
        ))}
        {inside === ROOT && !opened && folder && <span className="archive__here">{counts}</span>}
        {opened && <bdi className="archive__here">{displayName(opened.name)}</bdi>}
      </nav>
      {may("create") && (
        <div className="archive__acts">
          {!closed && (
            <Button glyph={PackageOpen} onClick={() => void actions.extract({ names })}>
              {t(names ? "archive.extractSelected" : "commands.extract")}
            </Button>
          )}
          <Button glyph={FolderInput} onClick={() => void actions.extract({ names, asks: true })}>
            {t("archive.extractTo")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The largest picture that is shown out of an archive, in bytes. */
const LARGEST_PICTURE = 64 * 2 ** 20;

/** The largest text, in bytes. */
const LARGEST_TEXT = 2 * 2 ** 20;

/** The content that is shown. */
type Shown =
  | { is: "loading" }
  | { is: "text"; text: string }
  | { is: "picture"; address: string }
  | { is: "nothing"; why: string };

interface ArchivedFileProps {
  api: ArchiveApi;
  archive: EntryPath;
  entry: ArchiveEntry;
}

/** A file of an archive: a text, a picture or a PDF; of others the way to save it. */
function ArchivedFile({ api, archive, entry }: ArchivedFileProps) {
  const { t, i18n: { language } } = useTranslation();
  const [shown, setShown] = useState<Shown>({ is: "loading" });
  const name = displayName(entry.name);
  useEffect(() => {
    const leaving = new AbortController();
    let address: string | null = null;
    const show = async (): Promise<Shown> => {
      const isText = entry.type === "text";
      const most = isText ? LARGEST_TEXT : LARGEST_PICTURE;
      if (!isText && entry.type !== "image") return { is: "nothing", why: t("preview.none") };
      if (entry.size > most) {
        const why = t("archive.tooLarge", { size: formatBytes(most, language) });
        return { is: "nothing", why };
      }
      const answer = await api.content(archive, entry.path, leaving.signal);
      if (!answer.ok) return { is: "nothing", why: reasonOf(t, answer) };
      const encoding = charsetOf(answer.value);
      if (isText && encoding === null) return { is: "nothing", why: t("preview.none") };
      if (encoding !== null) {
        return { is: "text", text: textOf(await answer.value.bytes(), encoding) };
      }
      address = URL.createObjectURL(await answer.value.blob());
      return { is: "picture", address };
    };
    show().catch((): Shown => ({ is: "nothing", why: t("errors.broken_archive") })).then((made) => {
      if (!leaving.signal.aborted) setShown(made);
    });
    return () => {
      leaving.abort();
      if (address !== null) URL.revokeObjectURL(address);
    };
  }, [entry]);

  if (entry.type === "pdf") {
    const address = api.address(archive, entry.path, { inline: true });
    const save = api.address(archive, entry.path);
    const otherwise = (
      <a className="button button--primary" href={save} download>{t("buttons.download")}</a>
    );
    return <Paper name={name} address={address} isWhole otherwise={otherwise} />;
  }
  switch (shown.is) {
    case "loading":
      return <FileSkeleton isText />;
    case "text":
      return (
        <div
          className="viewer__lines"
          role="region"
          tabIndex={0}
          aria-label={name}
          dir="auto"
        >
          <pre>{shown.text}</pre>
        </div>
      );
    case "picture":
      return (
        <img
          className="archive__picture"
          src={shown.address}
          alt={name}
          onError={() => setShown({ is: "nothing", why: t("preview.unknownText") })}
        />
      );
    case "nothing":
      return (
        <StatusScreen
          glyph={entry.encrypted ? Lock : FileQuestion}
          title={name}
          text={shown.why}
        >
          <a
            className="button button--primary"
            href={api.address(archive, entry.path)}
            download
          >
            <Icon glyph={Download} />
            {t("buttons.download")}
          </a>
        </StatusScreen>
      );
  }
}
