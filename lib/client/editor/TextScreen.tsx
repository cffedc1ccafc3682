import { useEffect, useMemo, useRef, useState } from "react";
import { CodeArea } from "./CodeArea.tsx";
import { ConflictView } from "./ConflictView.tsx";
import { EditorNotice } from "./EditorNotice.tsx";
import { EditorStatus } from "./EditorStatus.tsx";
import { EditorToolbar } from "./EditorToolbar.tsx";
import { MarkdownView } from "../preview/MarkdownView.tsx";
import { type CodeLanguage, languageOf } from "./code_language.ts";
import type { CodeView } from "./code_view.ts";
import type { TextFile } from "./text_file.ts";
import { canBePage, usePageLook } from "./page_look.ts";
import { useEditorKeys } from "./use_editor_keys.ts";
import { useKeyboardRoom } from "./use_keyboard_room.ts";
import { useFiles } from "../navigation/use_files.ts";

interface TextScreenProps {
  /** An open text that is ready. */
  file: TextFile;
  name: string;
}

/** A text with all that belongs to it: tools, what there is to say, the state it is in. */
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
  const deeds = useMemo(() => ({
    save: () => void file.save(),
    find: () => {
      look.value = false;
      code?.find();
    },
    close: () => navigation.leave(),
  }), [file, code, navigation]);
  useEditorKeys(deeds);
  useKeyboardRoom(screen);
  useEffect(() => {
    // Without its colours a text is a text still.
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
          onClose={deeds.close}
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

/** The text as it is now, also when it has just been read anew. */
function textNow(file: TextFile): string {
  const shown = file.shown.value;
  return (file.draft ?? shown)?.toString() ?? "";
}
