import type { Store } from "../../core/kv/store.ts";
import { auditBeginning, auditCheckpoints, type Checkpoint, isSigned } from "./checkpoint.ts";
import { hashOf, noHash, recordOf } from "./record.ts";
import { auditHead, type Head, readSegments } from "./segments.ts";

/** The result of a check of the whole log. */
export interface AuditVerification {
  /** How many records there are, and the numbers of the first and the last. */
  records: number;
  first: number;
  last: number;
  checkpoints: number;
  /** The problems, as sentences; empty for a log that is whole. */
  problems: string[];
}

/** Most problems that are reported: from the first on, all others may follow from it. */
const maxProblems = 100;

/**
 * Checks that no record was changed, removed, added or put elsewhere, and that the end is the one
 * that the server has signed last.
 *
 * @param noted a checkpoint whose number and hash were kept elsewhere
 */
export async function verifyAudit(
  store: Store,
  key: CryptoKey,
  noted?: Pick<Checkpoint, "seq" | "hash">,
): Promise<AuditVerification> {
  // Checkpoints first: what is added meanwhile is beyond the end that is read after them.
  const checkpoints = await auditCheckpoints.list(store);
  const head = await auditHead.get(store);
  const check = new Check(checkpoints, noted);
  await check.begin(key, await auditBeginning.get(store));
  if (head !== null && !await isSigned(key, head)) check.report("the end of the log is not signed");
  for (const checkpoint of checkpoints) {
    if (await isSigned(key, checkpoint)) continue;
    check.report(`the checkpoint ${checkpoint.seq} is not signed`);
  }
  for await (const { first, lines } of readSegments(store, "oldest")) {
    if (head !== null && first > head.seq) break;
    check.segment(first, head === null ? lines : lines.slice(0, head.seq - first + 1));
  }
  check.end(head);
  return check.verification;
}

/** One pass over the records, from the oldest on. */
class Check {
  readonly #checkpoints: Map<number, string>;
  readonly #noted: Pick<Checkpoint, "seq" | "hash"> | undefined;
  readonly #problems: string[] = [];
  #seq = 0;
  #hash = noHash;
  #first = 0;
  #records = 0;
  /** Whether the segment before is at its end: then the server has signed it. */
  #isBegun = false;

  constructor(
    checkpoints: readonly Checkpoint[],
    noted: Pick<Checkpoint, "seq" | "hash"> | undefined,
  ) {
    this.#checkpoints = new Map(checkpoints.map(({ seq, hash }) => [seq, hash]));
    this.#noted = noted;
  }

  get verification(): AuditVerification {
    return {
      records: this.#records,
      first: this.#first,
      last: this.#records === 0 ? 0 : this.#seq,
      checkpoints: this.#checkpoints.size,
      problems: this.#problems,
    };
  }

  report(problem: string): void {
    if (this.#problems.length < maxProblems) this.#problems.push(problem);
  }

  /** @param beginning where the log begins after records were cut off; null for the very first */
  async begin(key: CryptoKey, beginning: Checkpoint | null): Promise<void> {
    if (beginning === null) return;
    if (!await isSigned(key, beginning, "beginning")) {
      this.report("the beginning of the log is not signed: older records may have been removed");
    }
    [this.#seq, this.#hash] = [beginning.seq, beginning.hash];
  }

  segment(first: number, lines: readonly string[]): void {
    if (this.#isBegun && !this.#checkpoints.has(this.#seq)) {
      this.report(`the checkpoint ${this.#seq} is missing`);
    }
    this.#isBegun = true;
    for (const [index, line] of lines.entries()) this.#record(first + index, line);
  }

  end(head: Head | null): void {
    if (head === null) {
      if (this.#records > 0 || this.#seq > 0) this.report("the signed end of the log is missing");
    } else if (head.seq > this.#seq) {
      this.report(`records from ${this.#seq + 1} to ${head.seq} are missing at the end`);
    } else if (head.hash !== this.#hash) {
      this.report(`the record ${head.seq} is not the one that the server wrote last`);
    }
    const beyond = [...this.#checkpoints.keys()].filter((seq) => seq > this.#seq);
    const furthest = Math.max(...beyond, this.#noted?.seq ?? 0);
    if (furthest > Math.max(this.#seq, head?.seq ?? 0)) {
      this.report(`the log ends at ${this.#seq}, before its checkpoint ${furthest}`);
    }
  }

  #record(place: number, line: string): void {
    const record = recordOf(line);
    this.#records++;
    if (this.#first === 0) this.#first = place;
    if (record === null) this.report(`the record ${place} cannot be read`);
    else if (record.seq !== this.#seq + 1) {
      this.report(`the record ${record.seq} follows ${this.#seq}: records are missing or moved`);
    } else if (record.former !== this.#hash) {
      this.report(
        this.#seq === 0
          ? "the record 1 is not the first"
          : `the record ${this.#seq} was changed: ${record.seq} follows another`,
      );
    }
    this.#seq = record?.seq ?? place;
    this.#hash = hashOf(line);
    const signed = this.#checkpoints.get(this.#seq);
    if (signed !== undefined && signed !== this.#hash) {
      this.report(`the record ${this.#seq} is not the one of its checkpoint`);
    }
    if (this.#noted?.seq === this.#seq && this.#noted.hash !== this.#hash) {
      this.report(`the record ${this.#seq} is not the one of the checkpoint that was given`);
    }
  }
}
