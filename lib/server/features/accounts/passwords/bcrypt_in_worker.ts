import { remote } from "../../../core/concurrency/remote.ts";
import type { Bcrypt } from "./bcrypt.ts";
import type { BcryptWork } from "./bcrypt_worker.ts";

/** bcrypt in JavaScript, in a thread of its own that starts with the first task. */
export class BcryptInWorker implements Bcrypt {
  readonly name = "bcryptjs in a Worker";
  readonly #worker = remote<BcryptWork>({
    script: new URL("./bcrypt_worker.ts", import.meta.url),
    name: "passwords",
    diedOf: hashingError,
    closed: () => hashingError("the server is stopping"),
  });

  async hash(password: string, cost: number): Promise<string> {
    return await this.#worker.hash({ password, cost });
  }

  async verify(password: string, hash: string): Promise<boolean> {
    return await this.#worker.verify({ password, hash });
  }

  close(): void {
    this.#worker.close();
  }
}

function hashingError(reason: string): Error {
  return new Error(`Cannot compute a password hash: ${reason}`);
}
