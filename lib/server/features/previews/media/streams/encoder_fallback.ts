import type { VideoEncoder } from "../../../../core/config/server_options.ts";
import { joined } from "../../../../../shared/joined.ts";
import type { Receive } from "../../../commands/hosted_program.ts";
import type { ProgramEnd } from "../../../commands/protocol.ts";

/** Encodes a film by an encoder. */
export type Encode = (
  encoder: VideoEncoder,
  receive: Receive,
  /** Takes what FFmpeg complains about. */
  complain: (text: string) => void,
) => Promise<ProgramEnd>;

/** Most bytes that come before the first fragment: more are no header. */
const maxHeaderBytes = 2 ** 20;
/** The longest complaint of FFmpeg in the log, in characters. */
const maxComplaint = 200;
/** The box that begins a fragment (ISO/IEC 14496-12). */
const fragment = new TextEncoder().encode("moof");

/**
 * Encodes films by a hardware encoder, and by libx264 where that fails before its first pictures:
 * for all films once it has never worked, and otherwise for the film that it does not take.
 */
export class EncoderFallback {
  readonly #encoder: VideoEncoder;
  #hasWorked = false;
  #isGivenUp = false;
  #isNoted = false;
  #note: string | undefined;

  /** @param encoder the one to use first */
  constructor(encoder: VideoEncoder) {
    this.#encoder = encoder;
  }

  /** Encodes a film from a place on. @returns how FFmpeg has ended, the second one if there was one */
  async run(encode: Encode, receive: Receive): Promise<ProgramEnd> {
    const encoder = this.#encoder;
    const software = (given: Receive) => encode("libx264", given, () => {});
    if (encoder === "libx264" || this.#isGivenUp) return await software(receive);
    let complaint = "";
    const hardware = new HeldOutput(receive, () => this.#hasWorked = true);
    const end = await encode(encoder, hardware.receive, (text) => complaint = text);
    const { status, failure, stopped } = end;
    if (hardware.isOpen || status === 0 || failure !== undefined || stopped !== undefined) {
      if (status === 0) await hardware.open();
      return end;
    }
    return await software(new HeldOutput(receive, () => this.#replace(complaint)).receive);
  }

  /** What the log is to be told, once. */
  takeNote(): string | undefined {
    const note = this.#note;
    this.#note = undefined;
    return note;
  }

  /** Called when libx264 has encoded what the other encoder has not. */
  #replace(complaint: string): void {
    if (!this.#hasWorked) this.#isGivenUp = true;
    if (this.#isNoted) return;
    this.#isNoted = true;
    const reason = complaint.replace(/[^\x21-\x7e]+/g, " ").trim().slice(0, maxComplaint);
    const which = this.#isGivenUp ? "all videos" : "a video";
    this.#note = `Media: ${this.#encoder} failed, libx264 converts ${which} instead: ${
      reason || "FFmpeg does not say why"
    }`;
  }
}

/** Holds output back until its first fragment: the header before may be of an encoder that fails. */
class HeldOutput {
  readonly #receive: Receive;
  readonly #onOpen: () => void;
  #held: Uint8Array<ArrayBuffer>[] | null = [];

  constructor(receive: Receive, onOpen: () => void) {
    this.#receive = receive;
    this.#onOpen = onOpen;
  }

  /** Whether a fragment has come. */
  get isOpen(): boolean {
    return this.#held === null;
  }

  /** Hands on what it holds, and from then on all that comes. */
  async open(): Promise<void> {
    const held = this.#held;
    if (!held) return;
    this.#held = null;
    this.#onOpen();
    if (held.length > 0) await this.#receive(joined(held));
  }

  /** Takes output. */
  readonly receive: Receive = async (bytes) => {
    if (!this.#held) return await this.#receive(bytes);
    this.#held.push(new Uint8Array(bytes));
    const all = joined(this.#held);
    if (all.length > maxHeaderBytes || includes(all, fragment)) await this.open();
  };
}

function includes(bytes: Uint8Array, part: Uint8Array): boolean {
  const [first = 0] = part;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (part.every((byte, index) => bytes[at + index] === byte)) return true;
  }
  return false;
}
