import { Gate } from "../access/gate.ts";
import { asRefusal } from "../access/os_errors.ts";
import { DomainError } from "../../shared/errors.ts";
import { type PatientSteps, runInSlices } from "../rpc/slices.ts";
import type { Codec } from "./codecs/codec.ts";
import { openCodec } from "./codecs/open_codec.ts";
import { Outlet } from "./outlet.ts";
import { planZip } from "./plan_zip.ts";
import type { Answer, ArchiveFacts, ArchiveOrder } from "./protocol.ts";
import { enterTree, type Tree } from "./tree.ts";
import { writePlannedZip, writeTar, writeZip } from "./write_archive.ts";
import type { ChecksumCache } from "./zip/checksum_cache.ts";
import type { Part } from "./zip/planned_zip.ts";
import type { ZipPlan } from "./zip/zip_plan.ts";

/** What a job says, without the number of its download. */
type Said<T = Answer> = T extends { id: number } ? Omit<T, "id"> : never;

/** Says something to the thread that serves; the bytes' buffer moves there. */
export type Say = (said: Said) => void;

/** An archive that was looked at and waits to be written. */
interface Opened {
  tree: Tree;
  plan: ZipPlan | null;
  codec: Codec | null;
}

function factsOf(plan: ZipPlan): ArchiveFacts {
  return { size: plan.size, etag: plan.etag(), entries: plan.entries.length };
}

/** One download in the Worker: looked at, then written when that is asked for, or cancelled. */
export class Job {
  readonly #say: Say;
  readonly #order: ArchiveOrder;
  readonly #checksums: ChecksumCache;
  readonly #cancelled = new AbortController();
  readonly #asked = Promise.withResolvers<Part | null>();
  readonly #outlet: Outlet;

  constructor(order: ArchiveOrder, checksums: ChecksumCache, say: Say) {
    this.#order = order;
    this.#checksums = checksums;
    this.#say = say;
    this.#outlet = new Outlet((bytes) => say({ bytes }));
    this.#asked.promise.catch(() => {});
  }

  /** Does all of it; says how it ended, unless it was cancelled. */
  async run(): Promise<void> {
    const { signal } = this.#cancelled;
    let opened: Opened | undefined;
    try {
      opened = await this.#open(signal);
      const { plan } = opened;
      this.#say({ opened: plan && factsOf(plan) });
      const part = await this.#asked.promise;
      await runInSlices(this.#write(opened, part), signal);
      this.#say({ done: true });
    } catch (error) {
      if (!signal.aborted) this.#refuse(error);
    } finally {
      opened?.codec?.close?.();
    }
  }

  /** Begins to write: all of it, or a part of what was planned. */
  write(part: Part | null): void {
    this.#asked.resolve(part);
  }

  /** Gives back credits. */
  grant(count: number): void {
    this.#outlet.grant(count);
  }

  /** Ends the work at its next step, and closes what is open. */
  cancel(): void {
    this.#cancelled.abort();
    this.#asked.reject(this.#cancelled.signal.reason);
    this.#outlet.wake();
  }

  async #open(signal: AbortSignal): Promise<Opened> {
    const { spec, viewer, folder, chosen, format, deflate, patienceMs } = this.#order;
    const tree = enterTree(new Gate(spec).enter(viewer), folder, chosen);
    const isPlannable = format.container === "zip" && !deflate;
    const plan = isPlannable ? await runInSlices(planZip(tree, patienceMs), signal) : null;
    return { tree, plan, codec: format.codec && await openCodec(format.codec) };
  }

  #write({ tree, plan, codec }: Opened, part: Part | null): PatientSteps<void> {
    const { format, deflate } = this.#order;
    if (format.container === "tar") return writeTar(tree, codec, this.#outlet);
    if (plan) {
      const wanted = part ?? { start: 0, end: plan.size - 1 };
      return writePlannedZip(plan, wanted, this.#checksums, this.#outlet);
    }
    return writeZip(tree, deflate ? "deflated" : "stored", this.#checksums, this.#outlet);
  }

  #refuse(thrown: unknown): void {
    const error = asRefusal(thrown, `Cannot archive "${this.#order.folder}"`);
    if (error instanceof DomainError) {
      this.#say({ refusal: { code: error.code, message: error.message } });
    } else {
      const isError = error instanceof Error;
      this.#say({ failure: isError ? `${error.name}: ${error.message}` : String(error) });
    }
  }
}
