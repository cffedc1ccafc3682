import type { OpenFile } from "../../../core/disk/disk.ts";
import type { ProgressMeter } from "../../../files/transfer/progress.ts";
import type { Pauses } from "../../../core/concurrency/pauses.ts";
import { brokenArchiveError, type Bytes, type ByteStream } from "./archived_entry.ts";
import { ByteReader } from "./byte_reader.ts";

/** Bytes read at a time. */
const chunkSize = 256 * 1024;

/** Bytes read at a time where most of them may be left out. */
const skippedSize = 32 * 1024;

/** An archive that is being read: counts what was read, and pauses. */
export class ArchiveFile {
  readonly size: number;
  readonly #file: OpenFile;
  readonly #meter: Pick<ProgressMeter, "add">;
  readonly #pauses: Pauses;

  /** @param file the caller closes it */
  constructor(file: OpenFile, meter: Pick<ProgressMeter, "add">, pauses: Pauses) {
    this.size = file.facts().size;
    this.#file = file;
    this.#meter = meter;
    this.#pauses = pauses;
  }

  /** The same file for another reading, whose bytes are not counted. */
  uncounted(): ArchiveFile {
    return new ArchiveFile(this.#file, { add() {} }, this.#pauses);
  }

  /**
   * Reads a number of bytes, which are not counted.
   *
   * @throws {DomainError} `broken_archive` when there are fewer; and the signal's reason
   */
  async read(length: number, position: number): Promise<Bytes> {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length;) {
      const count = this.#file.read(bytes.subarray(done), position + done);
      if (count === 0) throw brokenArchiveError("it is truncated");
      done += count;
    }
    if (this.#pauses.isDue) await this.#pauses.pause();
    return bytes;
  }

  /** Streams a range of it. */
  stream(start = 0, end = this.size): ByteStream {
    return this.follow({ at: start }, end);
  }

  /** Streams it from a place that moves on with what is read, and that the caller may move, too. */
  async *follow(place: { at: number }, end = this.size, max = chunkSize): ByteStream {
    while (place.at < end) {
      const buffer = new Uint8Array(Math.min(max, end - place.at));
      const count = await this.#file.readLater(buffer, place.at);
      if (count === 0) throw brokenArchiveError("it is truncated");
      place.at += count;
      this.#meter.add(0, count);
      if (this.#pauses.isDue) await this.#pauses.pause();
      yield buffer.subarray(0, count);
    }
  }
}

/** Reads a file by lengths of its own, and leaves parts out without reading them. */
export class FileReader extends ByteReader {
  readonly #place: { at: number };

  constructor(file: ArchiveFile) {
    const place = { at: 0 };
    super(file.follow(place, file.size, skippedSize));
    this.#place = place;
  }

  protected override leap(length: number): boolean {
    this.#place.at += length;
    return true;
  }
}
