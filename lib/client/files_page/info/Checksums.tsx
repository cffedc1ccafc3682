import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { Spinner } from "../../../../components/Icon.tsx";
import type { ChecksumName } from "../../../shared/schemas/choices/choices.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { useApi } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { CopyButton } from "./CopyButton.tsx";
import { useKeptFocus } from "../../base/core/focus.ts";
import { failure, type FailureCode, type Result, success } from "../../../shared/result.ts";
import type { JobInfo } from "../../../shared/schemas/job.ts";
import { JobsApi } from "../../base/api/jobs_api.ts";
import type { Calls } from "../../base/api/calls.ts";
import { isOver, type Tasks } from "../../base/files/tasks.ts";

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

/** Files from this size on are hashed by a job, in bytes. */
const LARGE = 256 * 1024 * 1024;

/** The jobs that were begun on this page, as they were then, by path and algorithm. */
const begun = new Map<string, Promise<Result<JobInfo>>>();

/** The checksum of a large file: its job goes on when the prompt is closed, and is found again. */
class LargeChecksum {
  readonly #jobs: JobsApi;
  readonly #tasks: Pick<Tasks, "put" | "remove">;
  readonly #path: EntryPath;
  readonly #algorithm: ChecksumName;

  constructor(
    calls: Calls,
    tasks: Pick<Tasks, "put" | "remove">,
    path: EntryPath,
    algorithm: ChecksumName,
  ) {
    this.#jobs = new JobsApi(calls);
    this.#tasks = tasks;
    this.#path = path;
    this.#algorithm = algorithm;
  }

  /** Whether its job was begun already. */
  get isBegun(): boolean {
    return begun.has(this.#key);
  }

  /**
   * Begins the job, or follows it to its end.
   *
   * @param signal ends the following, not the job
   * @returns the digest in hexadecimal digits
   */
  async digest(signal: AbortSignal): Promise<Result<string>> {
    const entry = { path: this.#path, algorithm: this.#algorithm };
    const beginning = begun.get(this.#key) ?? this.#jobs.begin("checksum", [entry]);
    begun.set(this.#key, beginning);
    let answer = await beginning;
    while (answer.ok && !isOver(answer.value)) {
      if (signal.aborted) return failure(0, "aborted", "It is not waited for");
      this.#tasks.put(answer.value);
      answer = await this.#jobs.get(answer.value.id);
    }
    if (!signal.aborted) begun.delete(this.#key);
    if (!answer.ok) return answer;
    this.#tasks.remove(answer.value.id);
    return digestOf(answer.value);
  }

  /** Cancels the job. */
  async cancel(): Promise<void> {
    const beginning = await begun.get(this.#key);
    begun.delete(this.#key);
    if (beginning?.ok) await this.#jobs.change(beginning.value.id, "cancelled");
  }

  get #key(): string {
    return `${this.#algorithm} ${this.#path}`;
  }
}

function digestOf({ checksums: [made], failures: [why] }: JobInfo): Result<string> {
  if (made) return success(made.digest);
  return failure(0, why ? why.code as FailureCode : "aborted", why?.message ?? "It was cancelled");
}
