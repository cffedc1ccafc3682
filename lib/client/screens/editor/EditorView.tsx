import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { ErrorScreen, LoadFailed } from "../../../../components/StatusScreen.tsx";
import { FilePage } from "../../files_page/layout/FilePage.tsx";
import { FileFrame } from "../preview/FileFrame.tsx";
import { useNeighbourhood } from "../preview/use_neighbourhood.ts";
import { FileSkeleton } from "../../files_page/listing/Skeletons.tsx";
import type { EntryPath } from "../../../shared/path.ts";
import type { Resource } from "../../../shared/schemas/entry.ts";
import type { TextFile } from "./text_file.ts";
import { useTextFile } from "./use_text_file.ts";
import { coediting, useCoediting } from "./use_coediting.ts";
import type { Clock } from "../../../shared/clock.ts";
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { ConflictView, EditorNotice, LostTexts } from "./EditorNotice.tsx";
import { EditorStatus, EditorToolbar, FirstAction } from "./EditorToolbar.tsx";
import { MarkdownView, renderer } from "../preview/MarkdownView.tsx";
import { type CodeLanguage, languageOf } from "./text_tools.ts";
import { CodeView } from "./code_view.ts";
import { lineOf } from "../../base/navigation/navigation.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { withMarks } from "../../base/core/marks.ts";
import { textElement, usePrintable } from "../../base/core/print_sheet.ts";
import { lazy } from "../../base/core/lazy.ts";
import { shortcutOf } from "../../base/core/keyboard.ts";
import { useReadFirst, useWordWrap } from "./kept_choice.ts";
import type { Text } from "@codemirror/state";
import { isMarkdownName, isTableName } from "../../../shared/file_kinds.ts";

interface EditorViewProps {
  /** The file; its text is loaded if missing. */
  entry: Resource;
  /** The server's clock, for the first rendering. */
  clock: Clock;
  /** What is shown until the text is loaded. */
  meanwhile: ReactNode;
}

/** Whether the code that a text is shown by is loaded; if not, it is loaded now. */
export function isReady(name: string): boolean {
  const code = isTableName(name) ? tables : isMarkdownName(name) ? renderer : null;
  if (code === null) return true;
  void code.load();
  return code.state.value.is !== "loading";
}

/** A text file in the editor. Users who may not read the text see the file's details. */
export function EditorView({ entry, clock, meanwhile }: EditorViewProps) {
  const { t } = useTranslation();
  const { listing } = useFiles();
  const file = useTextFile(entry);
  const status = file.status.value;
  useEffect(() => {
    // Its name told of a text; the listing then has the type by its content, which the viewer shows.
    if (status === "other") void listing.reload();
  }, [status]);
  switch (status) {
    case "ready":
      return <TextScreen key={file.path} file={file} entry={entry} />;
    case "withheld":
      return <WithheldScreen entry={entry} clock={clock} />;
    case "failed":
      return (
        <ErrorScreen status={file.trouble.value?.status ?? 500}>
          <Button variant="primary" onClick={() => void file.load()}>{t("buttons.retry")}</Button>
        </ErrorScreen>
      );
    case "loading":
    case "other":
      return <>{meanwhile}</>;
  }
}

const tables = lazy(() => import("../preview/table/TableView.tsx"));

/** The details of a text that the user may not have. */
function WithheldScreen({ entry, clock }: Pick<EditorViewProps, "entry" | "clock">) {
  const { navigation } = useFiles();
  const nearby = useNeighbourhood(entry, BESIDE);
  const close = () => navigation.leave();
  useEditorKeys({ close, remove: nearby.remove });
  return (
    <FileFrame entry={entry} nearby={nearby}>
      <FilePage entry={entry} clock={clock} />
    </FileFrame>
  );
}

/** A text has no place in the strip of pictures, and after it its folder is shown. */
const BESIDE = { counts: false, follows: false };

interface TextScreenProps {
  /** An open text that is ready. */
  file: TextFile;
  entry: Resource;
}

/** An open text with its toolbar, notices and status bar. */
function TextScreen({ file, entry }: TextScreenProps) {
  const { navigation } = useFiles();
  const { name } = entry;
  const nearby = useNeighbourhood(entry, BESIDE);
  const screen = useRef<HTMLDivElement>(null);
  const [code, setCode] = useState<CodeView | null>(null);
  const [language, setLanguage] = useState<CodeLanguage | null>(null);
  const look = useReadFirst();
  const version = file.version.value;
  const kind = version === null ? null : pageKind(name, version.text);
  // A line of the text was asked for: the text it is, until it is to be read.
  const [line, setLine] = useState(() => lineOf(globalThis.location?.href ?? ""));
  const isPage = kind !== null && look.now.value && line === null;
  useCoediting(file, isPage);
  const theirs = file.theirs.value;
  const reading = isPage && !theirs ? textNow(file) : null;
  const wasPage = useRef(isPage);
  wasPage.current = isPage;
  // Once the text is on screen again, which has no focus before.
  const next = useRef<"focus" | "find" | null>(null);
  useEffect(() => {
    if (next.current === null || isPage || !code) return;
    code[next.current]();
    next.current = null;
  }, [isPage, code]);
  const actions = useMemo(() => ({
    save: () => void file.save(),
    find: () => {
      if (code && !wasPage.current) return code.find();
      next.current = "find";
      if (wasPage.current) look.set(false);
    },
    close: () => navigation.leave(),
    remove: () => nearby.remove(),
  }), [file, code, navigation]);
  useEditorKeys(actions);
  useKeyboardRoom(screen);
  useEffect(() => {
    if (line !== null) code?.showLine(line);
  }, [code]);
  useEffect(() => {
    // Without its language the text is shown without colours.
    languageOf(name).then(setLanguage, () => {});
  }, [name]);
  useEffect(() => {
    if (language) code?.speak(language).catch(() => {});
  }, [code, language]);

  usePrintable({ build: () => isPage || theirs ? null : printedText(textNow(file)) });
  const onPage = kind === null || theirs ? undefined : (isPage: boolean) => {
    setLine(null);
    look.set(isPage);
    next.current = isPage ? null : "focus";
  };
  return (
    <FileFrame
      entry={entry}
      nearby={nearby}
      first={
        <>
          <PeopleHere file={file} code={isPage ? null : code} />
          {onPage && <FirstAction file={file} isPage={isPage} onPage={onPage} />}
        </>
      }
    >
      <div ref={screen} className="editor" data-comparing={theirs ? true : undefined}>
        {theirs && <ConflictView file={file} theirs={theirs} name={name} language={language} />}
        {!theirs && !isPage && <EditorToolbar file={file} code={code} />}
        <div className="editor__notices">
          <EditorNotice file={file} />
          <LostTexts file={file} />
        </div>
        <CodeArea file={file} name={name} hidden={theirs !== null || isPage} onOpen={setCode} />
        {reading !== null && (
          <div className="editor__page">
            {kind === "table"
              ? <LateTable text={reading} path={file.path} />
              : <MarkdownView text={reading} path={file.path} />}
          </div>
        )}
        {!theirs && (
          <EditorStatus
            file={file}
            code={isPage ? null : code}
            language={language?.name}
          />
        )}
      </div>
    </FileFrame>
  );
}

/** Who else is in the text, where it is edited with others. */
function PeopleHere({ file, code }: { file: TextFile; code: CodeView | null }) {
  const late = coediting.state.value;
  const room = file.room.value;
  if (!room || late.is !== "ready") return null;
  return <late.value.People room={room} onShow={(at) => code?.show(at)} />;
}

/** The longest text that is printed, in characters: a thousand pages. */
const MOST_TEXT = 2_000_000;

/** A text for print: the editor has only the lines in view in the document. */
function printedText(text: string): Node[] {
  const printed = textElement("pre", withMarks(text.slice(0, MOST_TEXT)));
  return text.length > MOST_TEXT ? [printed, textElement("p", "…")] : [printed];
}

/** The current text, also when it has just been reloaded. */
function textNow(file: TextFile): string {
  const shown = file.shown.value;
  return (file.draft ?? shown)?.toString() ?? "";
}

interface LateTableProps {
  text: string;
  path: EntryPath;
}

/** A delimited text as a table, whose code is loaded with the first. */
function LateTable(props: LateTableProps) {
  useEffect(() => void tables.load(), []);
  const state = tables.state.value;
  if (state.is === "failed") return <LoadFailed onRetry={() => void tables.load()} />;
  return state.is === "ready" ? <state.value.CsvView {...props} /> : <FileSkeleton isText />;
}

/** The editor's shortcuts while the focus is outside of the text. */
interface EditorActions {
  save?: () => void;
  find?: () => void;
  close: () => void;
  remove: () => void;
}

/** Handles the editor's shortcuts anywhere on its page, before the page's own. */
function useEditorKeys(actions: EditorActions): void {
  // As soon as the text is there: a key that is pressed then must not go to the page.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      if (document.querySelector("dialog:modal, :popover-open")) return;
      // The details beside it close with Escape.
      if (event.target instanceof Element && event.target.closest(".details")) return;
      const action = actionOf(event, actions);
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, [actions]);
}

function actionOf(event: KeyboardEvent, actions: EditorActions): (() => void) | undefined {
  switch (shortcutOf(event)?.does) {
    case "download":
      return actions.save;
    case "search":
      return actions.find;
    case "escape":
    case "up":
      return actions.close;
    case "delete":
      return actions.remove;
    case "shell":
      // It would open behind the file.
      return () => {};
  }
}

/**
 * Keeps an element clear of a phone's on-screen keyboard that overlays the page: the element's
 * property `--keyboard` is the covered height.
 */
function useKeyboardRoom(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const viewport = globalThis.visualViewport;
    if (!viewport) return;
    const measure = () => {
      // Zooming in shrinks the visual viewport, too.
      const covered = viewport.scale > 1.01
        ? 0
        : Math.max(0, innerHeight - viewport.height - viewport.offsetTop);
      element.current?.style.setProperty("--keyboard", `${Math.round(covered)}px`);
    };
    measure();
    viewport.addEventListener("resize", measure);
    viewport.addEventListener("scroll", measure);
    return () => {
      viewport.removeEventListener("resize", measure);
      viewport.removeEventListener("scroll", measure);
    };
  }, [element]);
}

/** Longer documents take a browser many seconds to lay out. */
const TOO_LONG = 500_000;

/** How a text is shown to be read: as a document or a table. */
export type PageKind = "document" | "table";

/**
 * How a text can be shown to be read; null for one that only the editor shows: code, a text that is
 * too long, and an empty one, in which there is nothing to read.
 */
function pageKind(name: string, text: Text): PageKind | null {
  if (text.length === 0) return null;
  if (isTableName(name)) return "table";
  return isMarkdownName(name) && text.length <= TOO_LONG ? "document" : null;
}

const HINT = "editor-keys";

interface CodeAreaProps {
  file: TextFile;
  name: string;
  /** Temporarily hidden; cursor and history stay. */
  hidden: boolean;
  /** Called with the view once it exists, and with null when it is destroyed. */
  onOpen: (code: CodeView | null) => void;
}

/** The text area of the editor. */
function CodeArea({ file, name, hidden, onOpen }: CodeAreaProps) {
  const { t } = useTranslation();
  const wrap = useWordWrap();
  const area = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!area.current) return;
    const code = new CodeView({
      parent: area.current,
      file,
      wrap: wrap.now,
      t,
      label: t("editor.text", { name }),
      describedBy: HINT,
    });
    // On a phone the keyboard would cover the text.
    const isNobodyElsewhere = document.activeElement === document.body;
    if (isNobodyElsewhere && matchMedia("(pointer: fine)").matches) code.focus();
    onOpen(code);
    return () => {
      onOpen(null);
      code.close();
    };
  }, [file]);

  return (
    <>
      <p className="unseen" id={HINT}>{t("editor.keysHint")}</p>
      <div className="editor__code" ref={area} hidden={hidden} dir="ltr" />
    </>
  );
}
