import { Check, Copy } from "lucide";
import { useEffect, useRef, useState } from "react";
import type { EntryPath } from "../../shared/path.ts";
import type { ChecksumName } from "../../shared/api_types.ts";
import { copyText } from "../core/copy_text.ts";
import { reasonOf } from "../api/reasons.ts";
import { useApi } from "../core/use_site.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Button, IconButton } from "../../../components/Button.tsx";
import { useKeptFocus } from "../ui/use_kept_focus.ts";

const NAMES: readonly ChecksumName[] = ["md5", "sha1", "sha256", "sha512"];
const WORDS = { md5: "MD5", sha1: "SHA-1", sha256: "SHA-256", sha512: "SHA-512" } as const;

/** The digests of a file, each computed when it is asked for. */
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
