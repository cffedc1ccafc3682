import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { CodeView } from "./code_view.ts";
import type { TextFile } from "./text_file.ts";
import { useWordWrap } from "./kept_choice.ts";

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
export function CodeArea({ file, name, hidden, onOpen }: CodeAreaProps) {
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
