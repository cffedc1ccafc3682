import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Entry } from "../../../shared/api_types.ts";
import { parsePath } from "../../../shared/path.ts";
import type { TrashItem } from "../../../shared/schemas/trash.ts";
import { formatBytes, formatExact, formatNumber } from "../../base/core/format.ts";
import { formatPermissions } from "../../base/core/format_details.ts";
import { useRootAccess } from "../../base/core/root_access.ts";
import { usePage } from "../../base/core/page.ts";
import { useMay } from "../../base/core/use_site.ts";
import { entryKind } from "../../../shared/entry_kind.ts";
import { Checksums } from "./Checksums.tsx";
import { ComparePrompt, isComparable } from "./ComparePrompt.tsx";
import { CopyButton } from "./CopyButton.tsx";
import { EntryActivity } from "./EntryActivity.tsx";
import { FolderTotals } from "./FolderTotals.tsx";
import { EntryPicture } from "./EntryPicture.tsx";
import { Fact, MediaFacts } from "./MediaFacts.tsx";
import { SharedLinks } from "./SharedLinks.tsx";
import { useRestoring, Versions } from "./Versions.tsx";

interface EntryDetailsProps {
  entry: Entry;
  /** Called when a former version has taken its place. */
  onRestored?: () => void;
}

/** All that is known of one entry: for the panel at the side, and for the prompt. */
export function EntryDetails({ entry, onRestored }: EntryDetailsProps) {
  const { t, i18n: { language } } = useTranslation();
  const may = useMay();
  const canChange = useRootAccess().canChange(parsePath(entry.path).path);
  const { config } = usePage().data;
  const [compared, setCompared] = useState<TrashItem | null>(null);
  const restore = useRestoring(() => {
    setCompared(null);
    onRestored?.();
  });
  const kind = t(`info.kinds.${entryKind(entry)}`);
  const bytes = `${formatBytes(entry.size, language)} (${formatNumber(entry.size, language)})`;
  const { path } = parsePath(entry.path);
  const isWhole = !entry.isDir && entry.type !== "invalid_link";
  const isThere = entry.type !== "invalid_link";
  return (
    <div className="info">
      <EntryPicture key={entry.path} entry={entry} />
      <dl className="info__facts">
        <Fact name={t("info.kind")}>
          {entry.isSymlink && isThere ? t("info.linked", { kind }) : kind}
          {entry.extension && isWhole && (
            <>
              {" ("}
              <bdi>{entry.extension}</bdi>)
            </>
          )}
        </Fact>
        {entry.isDir && (
          <Fact name={t("info.contents")}>
            <FolderTotals folder={path} state={entry.modified} />
          </Fact>
        )}
        {isWhole && (
          <Fact name={t("files.column.size")}>
            {entry.size < 1000 ? formatBytes(entry.size, language) : bytes}
          </Fact>
        )}
        <Fact name={t("files.column.modified")}>
          <time dateTime={entry.modified}>{formatExact(entry.modified, language)}</time>
        </Fact>
        {isWhole && may("download") && <MediaFacts entry={entry} />}
        <Fact name={t("files.path")}>
          <span className="info__copied">
            <span className="info__path" dir="auto">{entry.path}</span>
            <CopyButton
              label={t("buttons.copyText", { what: t("files.path") })}
              text={entry.path}
            />
          </span>
        </Fact>
        <Fact name={t("info.permissions")}>
          <code>{formatPermissions(entry.mode)}</code>
        </Fact>
      </dl>
      {isThere && may("share") && may("download") && <SharedLinks key={path} entry={path} />}
      {isWhole && may("create") && may("modify") && canChange && (
        <Versions
          key={`${path} versions`}
          file={path}
          state={entry.modified}
          onRestore={restore}
          isComparable={(version) => may("download") && isComparable(entry, version)}
          onCompare={setCompared}
        />
      )}
      {config.EnableActivity && <EntryActivity key={`${path} activity`} entry={path} />}
      {isWhole && may("download") && <Checksums key={path} path={path} size={entry.size} />}
      {compared && (
        <ComparePrompt
          entry={entry}
          version={compared}
          onRestore={() => restore(compared)}
          onClose={() => setCompared(null)}
        />
      )}
    </div>
  );
}
