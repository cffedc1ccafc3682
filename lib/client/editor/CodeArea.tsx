import { useEffect, useRef } from "react";
import { CodeView } from "./code_view.ts";
import type { TextFile } from "./text_file.ts";
import { useWordWrap } from "./word_wrap.ts";
import { useTranslation } from "../core/use_translation.ts";

const HINT = "editor-keys";

interface CodeAreaProps {
  file: TextFile;
  name: string;
  /** Something else is in its place for a while; cursor and history stay. */
  hidden: boolean;
  /** Called with the view once there is one, and with null when it has gone. */
  onOpen: (code: CodeView | null) => void;
}

/** The text itself, where it is written. */
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
    // On a phone the keyboard would cover what one came to read.
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
