import { Fragment, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { type EntryPath, parsePath } from "../../../shared/path.ts";
import { bigPreviewQuery, previewKey } from "../../../shared/picture_forms.ts";
import type { TrashItem } from "../../../shared/schemas/trash.ts";
import { formatBytes, formatExact, formatNumber, formatRelative } from "../../base/core/format.ts";
import { formatPermissions } from "../../base/core/format_details.ts";
import { useRootAccess } from "../../base/core/root_access.ts";
import { lazy } from "../../base/core/lazy.ts";
import { usePage } from "../../base/core/page.ts";
import { useApi, useLazy, useMay } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { type EntryKind, entryKind } from "../../../shared/entry_kind.ts";
import { Checksums } from "./Checksums.tsx";
import { ComparePrompt, isComparable, useRestoring, Versions } from "./Versions.tsx";
import { CopyButton } from "./CopyButton.tsx";
import { FolderTotals } from "./FolderTotals.tsx";
import { Fact, MediaFacts } from "./MediaFacts.tsx";
import { SharedLinks } from "./SharedLinks.tsx";
import { QrCode } from "../sharing/QrCode.tsx";
import { EntryIcon, usePictured } from "../listing/thumbs/EntryIcon.tsx";
import { Thumb } from "../listing/thumbs/Thumb.tsx";
import { FormError } from "../../../../components/Fields.tsx";
import type { EntryHistory } from "../../../shared/schemas/audit.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import type { InfoQuestion, PromptBodyProps } from "../../base/prompts/prompts.ts";
import { Prompt } from "../../../../components/Prompt.tsx";

interface EntryDetailsProps {
  entry: Entry;
  /** Called when a previous version has taken its place. */
  onRestored?: () => void;
}

/** All that is known of one entry: for the panel at the side, and for the prompt. */
export function EntryDetails({ entry, onRestored }: EntryDetailsProps) {
  const { t, i18n: { language } } = useTranslation();
  const may = useMay();
  const canChange = useRootAccess().canChange(parsePath(entry.path).path);
  // Visitors of a share see what its page tells of an entry.
  const { config, share } = usePage().data;
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
        {entry.isDir && !share && (
          <Fact name={t("info.contents")}>
            <FolderTotals folder={path} state={entry.modified} />
          </Fact>
        )}
        {isWhole && (
          <Fact name={t("files.column.size")}>
            {entry.size < 1000 ? formatBytes(entry.size, language) : bytes}
          </Fact>
        )}
        {isWhole && may("download") && !share && <MediaFacts entry={entry} />}
        <Fact name={t("files.column.modified")}>
          <time dateTime={entry.modified}>{formatExact(entry.modified, language)}</time>
        </Fact>
        <Fact name={t("files.path")}>
          <span className="info__copied">
            <PathText path={entry.path} />
            <CopyButton
              label={t("buttons.copyText", { what: t("files.path") })}
              text={entry.path}
            />
          </span>
        </Fact>
        {may("admin") && (
          <Fact name={t("info.permissions")}>
            <code>{formatPermissions(entry.mode)}</code>
          </Fact>
        )}
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
      {(config.EnableActivity || may("admin")) && !share && (
        <EntryActivity key={`${path} activity`} entry={path} />
      )}
      {isWhole && may("download") && !share && (
        <Checksums key={path} path={path} size={entry.size} />
      )}
      {share && <PageCode entry={entry} />}
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

const codes = lazy(() => import("../sharing/qr_outline.ts"));

/** The QR code of the page that a visitor looks at. */
function PageCode({ entry: { path, isDir } }: EntryDetailsProps) {
  const { t } = useTranslation();
  const { navigation } = useFiles();
  const code = useLazy(codes, true);
  const link = location.origin + navigation.href(parsePath(path).path, isDir);
  if (!code || link.length > code.maxCodeLength) return null;
  return <QrCode path={code.qrPath(link)} label={t("share.codeOf", { link })} />;
}

/** A path, whose lines end behind a folder where that is possible. */
function PathText({ path }: { path: string }) {
  return (
    <span dir="auto">
      {path.split(/(?<=\/)/).map((part, index) => (
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}

/** A picture as a whole, the thumbnail of other entries that have one, otherwise the icon. */
function EntryPicture({ entry }: { entry: Entry }) {
  const api = useApi();
  const pictured = usePictured(false);
  const [isBroken, setBroken] = useState(false);
  const isPicture = pictured(entry) && entry.type === "image" && !isBroken;
  const at = parsePath(entry.path).path;
  // Browsers draw an SVG sharp at any size.
  const address = entry.extension === ".svg"
    ? api.addressOf("GET /api/raw/{path}", {
      params: { path: at },
      query: { inline: true, k: previewKey(entry) },
    })
    : api.addressOf("GET /api/preview/{size}/{path}", {
      params: { size: "big", path: at },
      query: bigPreviewQuery(entry),
    });
  return (
    <div className="info__picture">
      {isPicture
        ? <img src={address} alt="" decoding="async" onError={() => setBroken(true)} />
        : pictured(entry)
        ? <Thumb entry={entry} />
        : <EntryIcon entry={entry} />}
    </div>
  );
}

/** The history of an entry, or for administrators how it is recorded. */
function EntryActivity({ entry }: { entry: EntryPath }) {
  const { t } = useTranslation();
  const { BaseURL, EnableActivity } = usePage().data.config;
  return (
    <details className="fold" open>
      <summary>{t("activity.title")}</summary>
      {EnableActivity ? <Events entry={entry} /> : (
        <p>
          {t("activity.off")}
          {" · "}
          <a href={`${BaseURL}/settings/global#activity`}>{t("check.open")}</a>
        </p>
      )}
    </details>
  );
}

function Events({ entry }: { entry: EntryPath }) {
  const { t, i18n: { language } } = useTranslation();
  const api = useApi();
  const [history, setHistory] = useState<EntryHistory | null>(null);
  const [complaint, setComplaint] = useState("");
  useEffect(() => {
    const leaving = new AbortController();
    const call = { signal: leaving.signal };
    void api.calls.json("GET /api/history/{path}", { params: { path: entry }, ...call }).then(
      (answer) => {
        if (answer.ok) setHistory(answer.value);
        else if (answer.code !== "aborted") setComplaint(reasonOf(t, answer));
      },
    );
    return () => leaving.abort();
  }, [entry]);
  return (
    <div aria-busy={history === null && complaint === ""}>
      <FormError text={complaint} />
      {history?.events.length === 0 && <p>{t("activity.none")}</p>}
      <ul>
        {history?.events.map(({ time, action, user, from, to, above }) => {
          const facts = [
            user ?? t("activity.visitor"),
            ...from === null ? [] : [t("activity.from", { path: from })],
            ...to === null ? [] : [t("activity.to", { path: to })],
            ...above ? [t("activity.above")] : [],
          ];
          return (
            <li className="info__event" key={time + action}>
              {t(`activity.did.${action}`)}
              <small dir="auto">
                {facts.join(" · ")}
                {" · "}
                <time dateTime={time} title={formatExact(time, language)}>
                  {formatRelative(time, language)}
                </time>
              </small>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The totals of several entries, and of which kinds they are. */
export function ManyDetails({ input }: { input: InfoQuestion }) {
  const { t, i18n: { language } } = useTranslation();
  const { folder, names, entries, count } = input;
  const allKnown = entries.length === count;
  const files = entries.filter(({ isDir }) => !isDir);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <div className="info">
      <dl className="info__facts">
        <Fact name={t("info.total")}>
          {allKnown && files.length === count
            ? formatBytes(bytes, language)
            : <FolderTotals folder={folder} names={names} state={stateOf(input)} />}
        </Fact>
        {allKnown && (
          <Fact name={t("info.kind")}>
            {kindsOf(entries).map(([kind, count]) => (
              <span className="info__count" key={kind}>
                {t(`info.kinds.${kind}`)} <b>{formatNumber(count, language)}</b>
              </span>
            ))}
          </Fact>
        )}
        <Fact name={t("files.path")}>
          <PathText path={folder} />
        </Fact>
      </dl>
    </div>
  );
}

/** The kinds of entries with their numbers, the most frequent first. */
function kindsOf(entries: readonly Entry[]): [EntryKind, number][] {
  const counts = new Map<EntryKind, number>();
  for (const entry of entries) {
    const kind = entryKind(entry);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** Changes when other entries are chosen, or one of them changes. */
function stateOf({ count, entries }: InfoQuestion): string {
  return [count, ...entries.map(({ name, modified }) => `${name} ${modified}`)].join("/");
}

/** Shows the details of one entry, or the totals of several, where there is no room at the side. */
export function InfoPrompt({ input, onClose }: PromptBodyProps<"info">) {
  const { t } = useTranslation();
  const [first] = input.entries;
  const only = input.count === 1 ? first : undefined;
  const title = only ? only.name || t("files.myFiles") : t("info.many", { count: input.count });
  return (
    <Prompt title={title} onClose={onClose} tall>
      {only ? <EntryDetails entry={only} onRestored={onClose} /> : <ManyDetails input={input} />}
    </Prompt>
  );
}
