import { type ReadonlySignal, signal } from "@preact/signals";
import { delay } from "../../../shared/delay.ts";
import { type Failure, failure, type Result } from "../../../shared/result.ts";
import type { ApiPath } from "../../base/api/api_path.ts";
import type { Call, Calls } from "../../base/api/calls.ts";
import { isAway } from "../../base/api/connection.ts";
import { keepIn, openLocalStorage } from "../../base/core/browser_storage.ts";
import { type SendOptions, Tus, type UploadMemory } from "../../base/api/tus.ts";

/** Uploads at once. */
const maxAtOnce = 3;

/** The sizes of parts, and how often a damaged one is sent again. */
const parts = { chunkSize: 8 * 2 ** 20, retryCount: 5 };

/** The first and the longest pause between two tries, in milliseconds. */
const minPause = 500;
const maxPause = 15_000;

/** The folder that files are sent to, by a request or a share. */
export interface SendTarget {
  calls: Calls;
  /** The address that creates uploads. */
  to: ApiPath;
  /** The headers or the query that let one in. */
  access: Call;
  /** "" when no sender is named. */
  sender: string;
}

/** A file that a visitor has chosen. */
export interface SentFile {
  id: number;
  /** With its folders. */
  name: string;
  size: number;
  sent: number;
  state: "waiting" | "sending" | "arrived" | "failed";
  /** Of a failed one. */
  failure?: Failure;
}

const unreadable = failure(0, "unreadable", "The file can't be read");

interface Job {
  shown: SentFile;
  file: File;
  target: SendTarget;
  stopping: AbortController;
}

/** The files that a visitor sends: a queue, and what has become of each. */
export class SentFiles {
  readonly #list = signal<readonly SentFile[]>([]);
  readonly #jobs = new Map<number, Job>();
  #active = 0;
  #lastId = 0;

  /** All of them, in the order in which they were chosen. */
  readonly list: ReadonlySignal<readonly SentFile[]> = this.#list;

  /** Sends files; one that could not be read is null, and listed as such. */
  add(target: SendTarget, files: readonly { name: string; file: File | null }[]): void {
    const added = files.map(({ name, file }): SentFile => {
      const id = ++this.#lastId;
      if (file === null) {
        return { id, name, size: 0, sent: 0, state: "failed", failure: unreadable };
      }
      const shown: SentFile = { id, name, size: file.size, sent: 0, state: "waiting" };
      this.#jobs.set(id, { shown, file, target, stopping: new AbortController() });
      return shown;
    });
    this.#list.value = [...this.#list.peek(), ...added];
    this.#fill();
  }

  /** Sends one that failed again. */
  retry(id: number): void {
    if (!this.#jobs.has(id)) return;
    this.#show(id, { state: "waiting", failure: undefined });
    this.#fill();
  }

  /** Gives one up, and takes it off the list. */
  drop(id: number): void {
    const job = this.#jobs.get(id);
    job?.stopping.abort();
    if (job?.shown.state === "failed") {
      void discard(job.target, memoryOf(job.target, job.file, job.shown.name));
    }
    this.#jobs.delete(id);
    this.#list.value = this.#list.peek().filter((each) => each.id !== id);
  }

  #fill(): void {
    for (const job of this.#jobs.values()) {
      if (this.#active >= maxAtOnce) return;
      if (job.shown.state === "waiting") void this.#send(job);
    }
  }

  async #send({ shown: { id, name }, file, target, stopping: { signal } }: Job): Promise<void> {
    this.#active++;
    this.#show(id, { state: "sending" });
    const onProgress = (sent: number) => this.#show(id, { sent });
    const answer = await sendFile(target, file, name, { onProgress, signal });
    this.#active--;
    if (answer.ok) {
      this.#show(id, { state: "arrived", sent: file.size });
      this.#jobs.delete(id);
    } else {
      this.#show(id, { state: "failed", failure: answer });
    }
    this.#fill();
  }

  #show(id: number, change: Partial<SentFile>): void {
    this.#list.value = this.#list.peek().map((each) => {
      if (each.id !== id) return each;
      const next = { ...each, ...change };
      const job = this.#jobs.get(id);
      if (job) job.shown = next;
      return next;
    });
  }
}

/** Sends a file; retries until the visitor gives up while a later try may succeed. */
async function sendFile(
  target: SendTarget,
  file: File,
  name: string,
  { onProgress, signal }: SendOptions,
): Promise<Result<void>> {
  const { calls, to, access, sender } = target;
  const memory = memoryOf(target, file, name);
  const metadata = { filename: name, sender, lastModified: String(file.lastModified) };
  let pause = minPause;
  const moved = (sent: number) => {
    pause = minPause;
    onProgress(sent);
  };
  const options = { memory, parts, metadata, onProgress: moved, signal };
  while (!signal.aborted) {
    const answer = await new Tus(calls, access).send(to, file, options);
    if (answer.ok || !isTemporary(answer)) return answer;
    const paused = delay(pause, signal);
    await calls.recover(answer, signal);
    await paused;
    pause = Math.min(pause * 2, maxPause);
  }
  await discard(target, memory);
  return failure(0, "aborted", "The upload was given up");
}

/** Drops what the server has of a file that is not being sent. */
async function discard({ calls, access }: SendTarget, memory: UploadMemory): Promise<void> {
  const at = await memory.find();
  await memory.forget();
  if (at !== null) await new Tus(calls, access).drop(at);
}

/** Keeps the address of an unfinished upload, so that the file chosen again resumes it. */
function memoryOf(
  { calls, to }: SendTarget,
  { size, lastModified }: File,
  name: string,
): UploadMemory {
  const key = `cubby-request ${JSON.stringify([calls.address(to), name, size, lastModified])}`;
  const storage = openLocalStorage();
  return {
    find() {
      const address = storage.getItem(key);
      return Promise.resolve(address ? calls.pathOf(address) : null);
    },
    remember: (at) => Promise.resolve(keepIn(storage, key, calls.address(at))),
    forget: () => Promise.resolve(storage.removeItem(key)),
  };
}

/** Whether a later try may succeed. */
function isTemporary({ status, code }: Failure): boolean {
  if (code === "offline" || code === "busy" || code === "locked") return true;
  return code === "wrong_offset" || status > 0 && isAway(status);
}
