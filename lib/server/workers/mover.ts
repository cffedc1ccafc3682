import { type EntryPath, parsePath } from "../../shared/path.ts";
import type { Access } from "../access/access.ts";
import type { GateSpec, Viewer } from "../access/viewer.ts";
import type { TransferRequest } from "../files/transfer/request.ts";
import { OwnWorker } from "../rpc/own_worker.ts";

/** What the mover's Worker can be asked to do. */
export type MoverTask =
  | { kind: "transfer"; key: number; spec: GateSpec; viewer: Viewer; request: TransferRequest }
  /** Stops a transfer, unless it has gone too far: it answers for itself. */
  | { kind: "stop"; key: number };

/** Copies and moves entries in a Worker: neither requests nor listings wait for it. */
export class Mover extends OwnWorker<MoverTask> {
  #lastKey = 0;

  /** @param script the Worker's module */
  constructor(script: URL = new URL("./mover_worker.ts", import.meta.url)) {
    super(script, "mover");
  }

  /**
   * Copies or moves an entry. Unlike a listing, it is not over when the caller goes: the answer
   * tells whether it was stopped in time, with all as it was, or has come to its end.
   *
   * @returns the path that the entry has now
   * @throws {DomainError} as `transfer()` does; and the signal's reason
   */
  async transfer(
    { spec, viewer }: Access,
    request: TransferRequest,
    signal?: AbortSignal,
  ): Promise<EntryPath> {
    signal?.throwIfAborted();
    const key = ++this.#lastKey;
    const stop = () => void this.calls.call({ kind: "stop", key }).catch(() => {});
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const [path] = await this.calls.call({ kind: "transfer", key, spec, viewer, request });
      return parsePath(new TextDecoder().decode(path)).path;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }
}
