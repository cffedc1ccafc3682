import type { Bcrypt } from "./bcrypt.ts";

/** What the thread is asked: a new hash, or whether the password has this one. */
export type BcryptTask =
  | { id: number; password: string; cost: number }
  | { id: number; password: string; hash: string };

/** What the thread answers. */
export type BcryptAnswer = { id: number; result: string | boolean } | {
  id: number;
  failure: string;
};

/** bcrypt in JavaScript, in a thread of its own that starts with the first task. */
export class BcryptInWorker implements Bcrypt {
  readonly name = "bcryptjs in a Worker";
  readonly #waiting = new Map<number, PromiseWithResolvers<string | boolean>>();
  #worker: Worker | null = null;
  #lastId = 0;

  async hash(password: string, cost: number): Promise<string> {
    return await this.#ask({ id: ++this.#lastId, password, cost }) as string;
  }

  async verify(password: string, hash: string): Promise<boolean> {
    return await this.#ask({ id: ++this.#lastId, password, hash }) as boolean;
  }

  close(): void {
    this.#abandon("the server is stopping");
  }

  #ask(task: BcryptTask): Promise<string | boolean> {
    const pending = Promise.withResolvers<string | boolean>();
    this.#waiting.set(task.id, pending);
    this.#worker ??= this.#start();
    this.#worker.postMessage(task);
    return pending.promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL("./bcrypt_worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<BcryptAnswer>) => {
      const pending = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ("failure" in data) pending?.reject(failed(data.failure));
      else pending?.resolve(data.result);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#abandon(event.message);
    };
    return worker;
  }

  #abandon(reason: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const pending of this.#waiting.values()) pending.reject(failed(reason));
    this.#waiting.clear();
  }
}

function failed(reason: string): Error {
  return new Error(`Cannot compute a password hash: ${reason}`);
}
