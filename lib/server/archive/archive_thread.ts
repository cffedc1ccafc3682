import { workerName } from "../disk/waiting_thread.ts";
import { DomainError } from "../../shared/errors.ts";
import { Download } from "./download.ts";
import type { Answer, ArchiveOrder } from "./protocol.ts";

/** A Worker that makes archives, several at a time, and what they are for. */
export class ArchiveThread {
  readonly #worker: Worker;
  readonly #downloads = new Map<number, Download>();
  readonly #onDeath: (thread: ArchiveThread) => void;
  #lastId = 0;

  /** @param onDeath is told when the Worker dies of an error, all its downloads with it */
  constructor(script: URL, onDeath: (thread: ArchiveThread) => void) {
    this.#onDeath = onDeath;
    this.#worker = new Worker(script, { type: "module", name: workerName("archives") });
    this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#take(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.close(new DomainError("internal", "Cannot go on: the archive broke off"));
      this.#onDeath(this);
    };
  }

  /** How many downloads it works on. */
  get load(): number {
    return this.#downloads.size;
  }

  /** Begins a download. */
  open(order: ArchiveOrder): Download {
    const id = ++this.#lastId;
    const download = new Download((call) => {
      this.#worker.postMessage({ id, ...call });
      if ("cancel" in call) this.#downloads.delete(id);
    });
    this.#downloads.set(id, download);
    this.#worker.postMessage({ id, open: order });
    return download;
  }

  /** Ends the Worker; its downloads fail for this reason. */
  close(reason: DomainError): void {
    this.#worker.terminate();
    const downloads = [...this.#downloads.values()];
    this.#downloads.clear();
    for (const download of downloads) download.fail(reason);
  }

  #take(answer: Answer): void {
    const download = this.#downloads.get(answer.id);
    download?.take(answer);
    if (download?.isOver) this.#downloads.delete(answer.id);
  }
}
