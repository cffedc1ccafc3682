import { CircleAlert, GitCompare, type IconNode, Lock, Pencil } from "lucide";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { type CodeLanguage, encodingName } from "./text_tools.ts";
import type { TextFile } from "./text_file.ts";
import { useSaveAs } from "./use_text_file.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { usePage } from "../../base/core/page.ts";
import { useLazy, useMay } from "../../base/core/use_site.ts";
import { useRootAccess } from "../../base/core/root_access.ts";
import { lazy } from "../../base/core/lazy.ts";
import { Text } from "@codemirror/state";
import { type EntryPath, nameOf, parsePath } from "../../../shared/path.ts";
import { copyText } from "../../base/core/copy_text.ts";
import { charactersOf, type TextVersion, whyAlone } from "./text_version.ts";
import type { VersionsView } from "./versions_view.ts";

/** The most important notice about the open text, if there is any. */
export function EditorNotice({ file }: { file: TextFile }) {
  const { share } = usePage().data;
  const { t } = useTranslation();
  const may = useMay();
  const canChange = useRootAccess().canChange(file.path);
  const saveAs = useSaveAs(file);
  const trouble = file.trouble.value;
  const version = file.version.value;
  // By a share nothing is put beside what is shared.
  const elsewhere = share
    ? <CopyButtons text={() => draftOf(file)} path={file.path} />
    : <Button onClick={() => void saveAs()}>{t("editor.saveAs")}</Button>;

  if (trouble && file.hasParted.value) {
    return (
      <Notice
        variant="error"
        glyph={CircleAlert}
        text={t("coediting.parted", { reason: reasonOf(t, trouble) })}
      >
        <CopyButtons text={() => draftOf(file)} path={file.path} />
        {!share && elsewhere}
      </Notice>
    );
  }
  if (trouble?.code === "not_found") {
    return (
      <Notice variant="error" glyph={CircleAlert} text={t("editor.goneText")}>
        {!share && <Button onClick={() => void file.putBack()}>{t("editor.putBack")}</Button>}
        {elsewhere}
      </Notice>
    );
  }
  if (trouble?.code === "invalid_body" && version && !version.encoding.startsWith("utf-")) {
    const encoding = encodingName(version.encoding);
    return (
      <Notice variant="error" glyph={CircleAlert} text={t("editor.unwritableText", { encoding })}>
        <Button
          onClick={() =>
            void file.saveIn("utf-8")}
        >
          {t("editor.saveAsUtf8")}
        </Button>
      </Notice>
    );
  }
  if (trouble) {
    const reason = reasonOf(t, trouble);
    return (
      <Notice variant="error" glyph={CircleAlert} text={t("editor.failedText", { reason })}>
        <Button onClick={() => void file.save()}>{t("buttons.retry")}</Button>
        {elsewhere}
        {!share && file.room.value && <CopyButtons text={() => draftOf(file)} path={file.path} />}
      </Notice>
    );
  }
  if (file.hasMoved.value) {
    return <Notice variant="warning" glyph={CircleAlert} text={t("coediting.moved")} />;
  }
  if (file.theirs.value) return null;
  if (file.isStale.value) {
    return (
      <Notice variant="warning" glyph={GitCompare} text={t("editor.staleText")}>
        <Button onClick={() => void file.compare()}>{t("editor.compare")}</Button>
      </Notice>
    );
  }
  const alone = version && file.isWritable.value ? whyAlone(version) : null;
  if (version && alone) {
    const text = alone === "encoding"
      ? t("coediting.aloneEncoding", { encoding: encodingName(version.encoding) })
      : t("coediting.aloneLineEnding");
    return <Notice variant="calm" glyph={Pencil} text={text} />;
  }
  // Visitors of a share expect no more than to read.
  if (version === null || file.isWritable.value || share) return null;
  const text = !canChange
    ? t("files.readOnly")
    : may("modify")
    ? t("editor.readOnlyEncoding", { encoding: encodingName(version.encoding) })
    : t("editor.readOnlyPermission");
  return <Notice variant="calm" glyph={Lock} text={text} />;
}

/** Changes of other files that could not be sent before these were moved or deleted. */
export function LostTexts({ file }: { file: TextFile }) {
  const { t } = useTranslation();
  const [lost] = file.lost.value;
  if (!lost) return null;
  const { path } = parsePath(lost.path);
  return (
    <Notice
      variant="warning"
      glyph={CircleAlert}
      text={t("coediting.lost", { name: nameOf(path) })}
    >
      <CopyButtons text={() => lost.text.toString()} path={path} />
      <Button onClick={() => void file.forgetLost(lost)}>{t("buttons.discard")}</Button>
    </Notice>
  );
}

/** Buttons that copy a text, and save it on the user's device. */
function CopyButtons({ text, path }: { text: () => string; path: EntryPath }) {
  const { t } = useTranslation();
  return (
    <>
      <Button onClick={() => void copyText(text())}>{t("coediting.copy")}</Button>
      <Button onClick={() => saveCopy(text(), path)}>{t("coediting.saveCopy")}</Button>
    </>
  );
}

function draftOf({ version, draft }: TextFile): string {
  return charactersOf(draft ?? Text.empty, version.peek()?.lineEnding ?? "lf");
}

function saveCopy(text: string, path: EntryPath): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = Object.assign(document.createElement("a"), {
    href: address,
    download: nameOf(path) || "text.txt",
  });
  link.click();
  // The browser has begun by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

interface NoticeProps {
  variant: "calm" | "warning" | "error";
  glyph: IconNode;
  text: string;
  /** Buttons that resolve it. */
  children?: ReactNode;
}

function Notice({ variant, glyph, text, children }: NoticeProps) {
  return (
    <div className="remark" data-variant={variant} role={variant === "calm" ? "note" : "alert"}>
      <Icon glyph={glyph} />
      <p className="remark__text">{text}</p>
      {children && <div className="remark__acts">{children}</div>}
    </div>
  );
}

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
