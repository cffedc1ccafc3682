import { Check, Copy } from "lucide";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { type EntryPath, parsePath } from "../../shared/path.ts";
import type { ChecksumName, Entry } from "../../shared/api_types.ts";
import { formatBytes, formatExact, formatNumber } from "../core/format.ts";
import { formatPermissions } from "../core/format_details.ts";
import { useMay } from "../core/page.ts";
import { useTranslation } from "../core/use_translation.ts";
import { entryKind } from "../listing/entry_kind.ts";
import { Prompt } from "../../../components/Prompt.tsx";
import type { PromptBodyProps } from "../prompts/prompt_bodies.ts";
import { type Measure, measureFolder } from "./measure.ts";
import { reasonOf } from "../api/reasons.ts";
import type { Target } from "../actions/target.ts";
import { useApi, useToasts } from "../core/use_site.ts";
import { Button, IconButton } from "../../../components/Button.tsx";
import { copyText } from "../core/copy_text.ts";

/** Shows the details of one entry, or the totals of several. */
export function InfoPrompt({ input, onClose }: PromptBodyProps<"info">) {
  const { t } = useTranslation();
  const [only] = input.entries;
  const title = only && input.count === 1
    ? only.name || t("files.myFiles")
    : t("info.many", { count: input.count });
  return (
    <Prompt title={title} onClose={onClose} tall>
      <div className="info">
        {only && input.count === 1 ? <OneEntry entry={only} /> : <ManyEntries input={input} />}
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
          {entry.extension && isWhole && ` (${entry.extension})`}
        </Fact>
        {entry.isDir
          ? (
            <Fact name={t("info.contents")}>
              <FolderSize folder={path} />
            </Fact>
          )
          : isWhole && (
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

function ManyEntries({ input }: Pick<PromptBodyProps<"info">, "input">) {
  const { t, language } = useTranslation();
  const { folder, names, entries, count } = input;
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
          : <FolderSize folder={folder} names={names} />}
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

interface FolderSizeProps {
  folder: EntryPath;
  /** Only these entries of the folder: a function that reads their names. */
  names?: Target["names"];
}

/** The recursive size of folders, computed on request. */
function FolderSize({ folder, names }: FolderSizeProps) {
  const { t, language } = useTranslation();
  const api = useApi();
  const toasts = useToasts();
  const [measure, setMeasure] = useState<Measure | null>(null);
  const [running, setRunning] = useState(false);
  const leaving = useRef<AbortController | null>(null);
  const part = useKeptFocus<HTMLDivElement>(running);
  useEffect(() => () => leaving.current?.abort(), []);

  const add = async () => {
    const controller = new AbortController();
    const { signal } = controller;
    leaving.current = controller;
    setRunning(true);
    const wanted = await names?.();
    if (wanted?.ok === false) toasts.error(reasonOf(t, wanted));
    else {
      const chosen = wanted && new Set(wanted.value);
      await measureFolder(api, folder, { names: chosen, signal, onProgress: setMeasure });
    }
    setRunning(false);
    if (signal.aborted) setMeasure(null);
  };

  const size = measure && formatBytes(measure.bytes, language);
  return (
    <div ref={part} className="contents">
      {measure && (
        <span role="status">
          {running
            ? t("info.sofar", { size })
            : measure.unreadable > 0
            ? t("info.atLeast", { size })
            : size}
          {" · "}
          {t("info.countBoth", {
            files: t("files.fileCount", { count: measure.files }),
            folders: t("files.folderCount", { count: measure.folders }),
          })}
        </span>
      )}
      {measure && measure.unreadable > 0 && (
        <span className="field__complaint">
          {t("info.unreadable", { count: measure.unreadable })}
        </span>
      )}
      {running
        ? <Button onClick={() => leaving.current?.abort()}>{t("buttons.cancel")}</Button>
        : !measure && <Button onClick={() => void add()}>{t("buttons.calculate")}</Button>}
    </div>
  );
}

const NAMES: readonly ChecksumName[] = ["md5", "sha1", "sha256", "sha512"];
const WORDS = { md5: "MD5", sha1: "SHA-1", sha256: "SHA-256", sha512: "SHA-512" } as const;

/** The digests of a file, each computed on request. */
export function Checksums({ path }: { path: EntryPath }) {
  const { t } = useTranslation();
  return (
    <section>
      <h3 className="prompt__subtitle">{t("info.checksums")}</h3>
      {NAMES.map((name) => <ChecksumRow key={name} path={path} name={name} />)}
    </section>
  );
}

function ChecksumRow({ path, name }: { path: EntryPath; name: ChecksumName }) {
  const { t } = useTranslation();
  const api = useApi();
  const [digest, setDigest] = useState("");
  const [error, setError] = useState("");
  const [copied, setCopied] = useState(false);
  const [running, setRunning] = useState(false);
  const leaving = useRef<AbortController | null>(null);
  const row = useKeptFocus<HTMLDivElement>(digest ? "done" : running);
  useEffect(() => () => leaving.current?.abort(), []);

  const calculate = async () => {
    const controller = new AbortController();
    leaving.current = controller;
    setRunning(true);
    setError("");
    const answer = await api.checksum(path, name, controller.signal);
    if (leaving.current !== controller) return;
    setRunning(false);
    if (answer.ok) setDigest(answer.value);
    else if (answer.code !== "aborted") setError(reasonOf(t, answer));
  };
  const copy = () => void copyText(digest).then(setCopied);

  return (
    <div ref={row} className="checksum" role="group" aria-label={WORDS[name]}>
      <span className="checksum__name">{WORDS[name]}</span>
      <output className="checksum__digest">{error || digest}</output>
      {digest
        ? (
          <IconButton
            label={copied ? t("info.copied") : t("buttons.copyText", { what: WORDS[name] })}
            glyph={copied ? Check : Copy}
            onClick={copy}
          />
        )
        : running
        ? (
          <Button aria-busy onClick={() => leaving.current?.abort()}>
            <span className="spinner" aria-hidden="true" /> {t("buttons.cancel")}
          </Button>
        )
        : <Button onClick={() => void calculate()}>{t("buttons.calculate")}</Button>}
    </div>
  );
}

/**
 * Keeps the focus in an element whose button is replaced by another when it is pressed.
 *
 * @param state the state that decides which button is shown
 * @returns the ref of the element that holds the button
 */
function useKeptFocus<T extends HTMLElement>(state: unknown): RefObject<T> {
  const part = useRef<T>(null);
  const first = useRef(true);
  useEffect(() => {
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    if (!first.current && isLost) part.current?.querySelector<HTMLElement>("button")?.focus();
    first.current = false;
  }, [state]);
  return part;
}
