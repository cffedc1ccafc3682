import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Prompt } from "../../../../components/Prompt.tsx";
import { LoadFailed } from "../../../../components/StatusScreen.tsx";
import { Spinner } from "../../../../components/Icon.tsx";
import type { Entry } from "../../../shared/api_types.ts";
import { parsePath } from "../../../shared/path.ts";
import type { TrashItem } from "../../../shared/schemas/trash.ts";
import { formatExact } from "../../base/core/format.ts";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy } from "../../base/core/use_site.ts";

const compareView = lazy(() => import("../../screens/editor/CompareView.tsx"));

/** The largest text that is shown, in bytes; of a larger file the server sends no text. */
const LARGEST = 10 * 1024 * 1024;

/** Whether a former version of a file can be compared with it. */
export function isComparable({ type, size }: Entry, version: TrashItem): boolean {
  const isText = type === "text" || type === "textImmutable";
  return isText && size <= LARGEST && version.size <= LARGEST;
}

interface ComparePromptProps {
  entry: Entry;
  version: TrashItem;
  /** Puts the version in place of the present one. */
  onRestore: () => Promise<void>;
  onClose: () => void;
}

/** A former version of a text file beside the file as it is now. */
export function ComparePrompt({ entry, version, onRestore, onClose }: ComparePromptProps) {
  const { t, i18n: { language } } = useTranslation();
  const when = formatExact(version.deleted, language);
  const code = useLazy(compareView, true);
  const [busy, setBusy] = useState(false);
  const restore = async () => {
    setBusy(true);
    await onRestore();
    setBusy(false);
  };
  return (
    <Prompt
      title={entry.name}
      text={t("info.comparison", { when })}
      act={t("buttons.restore")}
      busy={busy}
      onAct={() => void restore()}
      onClose={onClose}
      wide
    >
      {compareView.state.value.is === "failed" && (
        <LoadFailed onRetry={() => void compareView.load()} />
      )}
      {compareView.state.value.is === "loading" && <Spinner label={t("files.loading")} />}
      {code && (
        <code.CompareView
          file={parsePath(entry.path).path}
          name={entry.name}
          id={version.id}
          former={t("info.until", { when })}
        />
      )}
    </Prompt>
  );
}
