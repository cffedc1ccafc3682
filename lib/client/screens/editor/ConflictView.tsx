import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy } from "../../base/core/use_site.ts";
import type { CodeLanguage } from "./text_tools.ts";
import type { TextFile } from "./text_file.ts";
import type { TextVersion } from "./text_version.ts";
import { useSaveAs } from "./use_text_file.ts";
import type { VersionsView } from "./versions_view.ts";

const versionsView = lazy(() => import("./versions_view.ts"));

const NARROW = "(width <= 46em)";

interface ConflictViewProps {
  file: TextFile;
  /** The conflicting version. */
  theirs: TextVersion;
  name: string;
  language: CodeLanguage | null;
}

/** Two versions of a text to choose from: side by side, or on a phone as a unified diff. */
export function ConflictView({ file, theirs, name, language }: ConflictViewProps) {
  const { t } = useTranslation();
  const area = useRef<HTMLDivElement>(null);
  const shown = useRef<VersionsView | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const saveAs = useSaveAs(file);
  const code = useLazy(versionsView, true);
  const mine = () => shown.current?.mine ?? file.draft ?? theirs.text;

  useEffect(() => title.current?.focus(), []);
  useEffect(() => {
    const parent = area.current;
    const draft = file.draft;
    if (!code || !parent || !draft) return;
    const isNarrow = matchMedia(NARROW).matches;
    let closed = false;
    const names = { mine: t("editor.mine"), theirs: t("editor.theirs") };
    const options = { parent, mine: draft, theirs: theirs.text, names, isNarrow, language, t };
    void code.VersionsView.open(options).then((view) => {
      if (closed) return view.close();
      shown.current = view;
    });
    return () => {
      closed = true;
      shown.current?.close();
      shown.current = null;
    };
  }, [code, theirs]);

  return (
    <>
      <div className="versions__head">
        <div className="versions__words">
          <h2 className="versions__title" ref={title} tabIndex={-1}>
            {t("editor.conflictTitle", { name })}
          </h2>
          <p className="versions__text">{t("editor.conflictText")}</p>
        </div>
        <div className="versions__acts">
          <Button variant="quiet" onClick={() => file.chooseLater()}>
            {t("editor.chooseLater")}
          </Button>
          <Button onClick={() => void saveAs(mine())}>{t("editor.saveAs")}</Button>
          <Button onClick={() => file.takeTheirs()}>{t("editor.takeTheirs")}</Button>
          <Button variant="primary" onClick={() => void file.keepMine(mine())}>
            {t("editor.keepMine")}
          </Button>
        </div>
      </div>
      <div className="versions__names" aria-hidden="true">
        <span>{t("editor.theirs")}</span>
        <span>{t("editor.mine")}</span>
      </div>
      <div className="versions__area" ref={area} dir="ltr" />
    </>
  );
}
