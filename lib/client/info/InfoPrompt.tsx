import type { ReactNode } from "react";
import { parsePath } from "../../shared/path.ts";
import type { Entry } from "../../shared/api_types.ts";
import { formatBytes, formatExact, formatNumber } from "../core/format.ts";
import { formatPermissions } from "./permission_bits.ts";
import { useMay } from "../core/page.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Checksums } from "./Checksums.tsx";
import { Contents } from "../navigation/Contents.tsx";
import { entryKind } from "../listing/entry_kind.ts";
import { Prompt } from "../../../components/Prompt.tsx";
import type { PromptBodyProps } from "../prompts/prompt_bodies.ts";

/** Shows what is known of one entry, or the sums of several. */
export function InfoPrompt({ asks, onClose }: PromptBodyProps<"info">) {
  const { t } = useTranslation();
  const [only] = asks.entries;
  const title = only && asks.count === 1
    ? only.name || t("files.myFiles")
    : t("info.many", { count: asks.count });
  return (
    <Prompt title={title} onClose={onClose} tall>
      <div className="info">
        {only && asks.count === 1 ? <OneEntry entry={only} /> : <ManyEntries asks={asks} />}
      </div>
    </Prompt>
  );
}

function OneEntry({ entry }: { entry: Entry }) {
  const { t, language } = useTranslation();
  const may = useMay();
  const kind = t(`info.kinds.${entryKind(entry)}`);
  const bytes = `${formatBytes(entry.size, language)} (${formatNumber(entry.size, language)})`;
  const { path } = parsePath(entry.path);
  const isWhole = !entry.isDir && entry.type !== "invalid_link";
  return (
    <>
      <dl className="info__facts">
        <Fact name={t("info.kind")}>
          {entry.isSymlink && entry.type !== "invalid_link" ? t("info.linked", { kind }) : kind}
          {entry.extension && !entry.isDir && ` (${entry.extension})`}
        </Fact>
        {entry.isDir
          ? (
            <Fact name={t("info.contents")}>
              <Contents folder={path} />
            </Fact>
          )
          : (
            <Fact name={t("files.column.size")}>
              {entry.size < 1000 ? formatBytes(entry.size, language) : bytes}
            </Fact>
          )}
        <Fact name={t("files.column.modified")}>
          <time dateTime={entry.modified}>{formatExact(entry.modified, language)}</time>
        </Fact>
        <Fact name={t("files.path")}>
          <span className="info__path" dir="auto">{entry.path}</span>
        </Fact>
        <Fact name={t("info.permissions")}>
          <code>{formatPermissions(entry.mode)}</code>
        </Fact>
      </dl>
      {isWhole && may("download") && <Checksums path={path} />}
    </>
  );
}

function ManyEntries({ asks }: Pick<PromptBodyProps<"info">, "asks">) {
  const { t, language } = useTranslation();
  const { folder, names, entries, count } = asks;
  const allKnown = entries.length === count;
  const files = entries.filter(({ isDir }) => !isDir);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <dl className="info__facts">
      {allKnown && (
        <Fact name={t("info.contents")}>
          {t("info.countBoth", {
            files: t("files.fileCount", { count: files.length }),
            folders: t("files.folderCount", { count: count - files.length }),
          })}
        </Fact>
      )}
      <Fact name={t("info.total")}>
        {allKnown && files.length === count
          ? formatBytes(bytes, language)
          : <Contents folder={folder} names={names} />}
      </Fact>
      <Fact name={t("files.path")}>
        <span className="info__path" dir="auto">{folder}</span>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
