import type { Text } from "@codemirror/state";
import { type Signal, signal } from "@preact/signals";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { CodeArea } from "./CodeArea.tsx";
import { ConflictView } from "./ConflictView.tsx";
import { EditorNotice } from "./EditorNotice.tsx";
import { EditorStatus } from "./EditorStatus.tsx";
import { EditorToolbar } from "./EditorToolbar.tsx";
import { MarkdownView } from "../preview/MarkdownView.tsx";
import { type CodeLanguage, languageOf } from "./text_tools.ts";
import type { CodeView } from "./code_view.ts";
import type { TextFile } from "./text_file.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useShared } from "../core/page.ts";
import { shortcutOf } from "../core/keyboard.ts";

interface TextScreenProps {
  /** An open text that is ready. */
  file: TextFile;
  name: string;
}

/** An open text with its toolbar, notices and status bar. */
export function TextScreen({ file, name }: TextScreenProps) {
  const { navigation } = useFiles();
  const screen = useRef<HTMLElement>(null);
  const [code, setCode] = useState<CodeView | null>(null);
  const [language, setLanguage] = useState<CodeLanguage | null>(null);
  const look = usePageLook();
  const version = file.version.value;
  const mayBePage = language?.name === "Markdown" && version !== null && canBePage(version.text);
  const isPage = mayBePage && look.value;
  const theirs = file.theirs.value;
  const reading = isPage && !theirs ? textNow(file) : null;
  const actions = useMemo(() => ({
    save: () => void file.save(),
    find: () => {
      look.value = false;
      code?.find();
    },
    close: () => navigation.leave(),
  }), [file, code, navigation]);
  useEditorKeys(actions);
  useKeyboardRoom(screen);
  useEffect(() => {
    // Without its language the text is shown without colours.
    languageOf(name).then(setLanguage, () => {});
  }, [name]);
  useEffect(() => {
    if (language) code?.speak(language).catch(() => {});
  }, [code, language]);

  return (
    <section ref={screen} className="editor" data-comparing={theirs ? true : undefined}>
      {theirs && <ConflictView file={file} theirs={theirs} name={name} language={language} />}
      {!theirs && (
        <EditorToolbar
          file={file}
          code={code}
          isPage={isPage}
          onPage={mayBePage ? (isPage) => look.value = isPage : undefined}
          onClose={actions.close}
        />
      )}
      <EditorNotice file={file} />
      <CodeArea file={file} name={name} hidden={theirs !== null || isPage} onOpen={setCode} />
      {reading !== null && (
        <div className="editor__page">
          <MarkdownView text={reading} path={file.path} />
        </div>
      )}
      {!theirs && (
        <EditorStatus
          file={file}
          code={isPage ? null : code}
          language={language?.name}
        />
      )}
    </section>
  );
}

/** The current text, also when it has just been reloaded. */
function textNow(file: TextFile): string {
  const shown = file.shown.value;
  return (file.draft ?? shown)?.toString() ?? "";
}

/** Longer documents take a browser many seconds to lay out. */
const TOO_LONG = 500_000;

/**
 * Whether Markdown is shown rendered. The choice is kept when a link leads to another document.
 */
function usePageLook(): Signal<boolean> {
  return useShared("pageLook", () => signal(false));
}

/** Whether a document is short enough to be shown as a page. */
function canBePage(text: Text): boolean {
  return text.length <= TOO_LONG;
}

/** The editor's shortcuts while the focus is outside of the text. */
export interface EditorActions {
  save: () => void;
  find: () => void;
  close: () => void;
}

/** Handles the editor's shortcuts anywhere on its page, before the page's own. */
function useEditorKeys(actions: EditorActions): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      if (document.querySelector("dialog:modal, [popover]:popover-open")) return;
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
      return actions.close;
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
