import { CircleAlert, GitCompare, type IconNode, Lock } from "lucide";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { encodingName } from "./text_tools.ts";
import type { TextFile } from "./text_file.ts";
import { useSaveAs } from "./use_text_file.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { useMay } from "../../base/core/use_site.ts";
import { useRootAccess } from "../../base/core/root_access.ts";

/** The most important notice about the open text, if there is any. */
export function EditorNotice({ file }: { file: TextFile }) {
  const { t } = useTranslation();
  const may = useMay();
  const canChange = useRootAccess().canChange(file.path);
  const saveAs = useSaveAs(file);
  const trouble = file.trouble.value;
  const version = file.version.value;

  if (trouble?.code === "not_found") {
    return (
      <Notice variant="error" glyph={CircleAlert} text={t("editor.goneText")}>
        <Button onClick={() => void file.putBack()}>{t("editor.putBack")}</Button>
        <Button onClick={() => void saveAs()}>{t("editor.saveAs")}</Button>
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
        <Button onClick={() => void saveAs()}>{t("editor.saveAs")}</Button>
      </Notice>
    );
  }
  if (file.theirs.value) return null;
  if (file.isStale.value) {
    return (
      <Notice variant="warning" glyph={GitCompare} text={t("editor.staleText")}>
        <Button onClick={() => void file.compare()}>{t("editor.compare")}</Button>
      </Notice>
    );
  }
  if (version === null || version.isWritable) return null;
  const text = !canChange
    ? t("files.readOnly")
    : may("modify")
    ? t("editor.readOnlyEncoding", { encoding: encodingName(version.encoding) })
    : t("editor.readOnlyPermission");
  return <Notice variant="calm" glyph={Lock} text={text} />;
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
