import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { Spinner } from "../../../../components/Icon.tsx";
import type { ChecksumName } from "../../../shared/api_types.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { useApi } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { CopyButton } from "./CopyButton.tsx";
import { LARGE, LargeChecksum } from "./large_checksum.ts";
import { useKeptFocus } from "../../base/core/use_kept_focus.ts";

const NAMES: readonly ChecksumName[] = ["md5", "sha1", "sha256", "sha512"];
const WORDS = { md5: "MD5", sha1: "SHA-1", sha256: "SHA-256", sha512: "SHA-512" } as const;

/** The digests of a file, folded up, each computed on request. */
export function Checksums({ path, size }: { path: EntryPath; size: number }) {
  const { t } = useTranslation();
  return (
    <details className="fold">
      <summary>{t("info.checksums")}</summary>
      {NAMES.map((name) => <ChecksumRow key={name} path={path} size={size} name={name} />)}
    </details>
  );
}

interface ChecksumRowProps {
  path: EntryPath;
  /** Of the file, in bytes. */
  size: number;
  name: ChecksumName;
}

function ChecksumRow({ path, size, name }: ChecksumRowProps) {
  const { t } = useTranslation();
  const api = useApi();
  const { tasks } = useFiles();
  const [large] = useState(() => {
    return size < LARGE ? null : new LargeChecksum(api.calls, tasks, path, name);
  });
  const [digest, setDigest] = useState("");
  const [error, setError] = useState("");
  const [running, setRunning] = useState(false);
  const leaving = useRef<AbortController | null>(null);
  const row = useKeptFocus<HTMLDivElement>(digest ? "done" : running);
  useEffect(() => {
    if (large?.isBegun) void calculate();
    return () => leaving.current?.abort();
  }, []);

  const calculate = async () => {
    const controller = new AbortController();
    leaving.current = controller;
    setRunning(true);
    setError("");
    const { signal } = controller;
    const answer = await (large ? large.digest(signal) : api.checksum(path, name, signal));
    if (leaving.current !== controller) return;
    setRunning(false);
    if (answer.ok) setDigest(answer.value);
    else if (answer.code !== "aborted") setError(reasonOf(t, answer));
  };
  const cancel = () => {
    leaving.current?.abort();
    void large?.cancel();
  };

  return (
    <div ref={row} className="checksum" role="group" aria-label={WORDS[name]}>
      <span className="checksum__name">{WORDS[name]}</span>
      <output className="checksum__digest">{error || digest}</output>
      {digest
        ? <CopyButton label={t("buttons.copyText", { what: WORDS[name] })} text={digest} />
        : running
        ? (
          <Button aria-busy onClick={cancel}>
            <Spinner /> {t("buttons.cancel")}
          </Button>
        )
        : <Button onClick={() => void calculate()}>{t("buttons.calculate")}</Button>}
    </div>
  );
}
