import * as decoding from "lib0/decoding";
import * as encoding from "lib0/encoding";
import type { ErrorCode } from "./errors.ts";

/**
 * The protocol by which a page and the server edit one text: what `GET /api/coediting/{path}` and
 * `GET /api/public/coediting/{hash}/{path}` speak. Messages are binary; the first varint is the
 * kind, all numbers and strings are encoded as lib0 does it.
 */

/** The name of the `Y.Text` in the document. Its line ends are `\n`. */
export const textName = "text";

/** The longest text that is edited together, in bytes of UTF-8: a longer one opens for one alone. */
export const maxCoeditedBytes = 2 * 1024 ** 2;

/** The longest message from a page, in bytes: the whole text, with what was written offline. */
export const maxMessageBytes = 2 * maxCoeditedBytes;

/** The longest awareness update from a page, in bytes: a cursor, a selection, a name. */
export const maxAwarenessBytes = 4 * 1024;

/** How many can be in one text at a time. */
export const maxMembers = 50;

/**
 * After this time without a message from the server the page takes the connection for dead, in
 * milliseconds. The server sends its list of members at least every {@linkcode heartbeatMs}.
 */
export const silenceMs = 40_000;

/** Interval of the server's messages when there is nothing else to say, in milliseconds. */
export const heartbeatMs = 15_000;

/** The kinds of messages. */
export const kinds = {
  /** Both ways: a message of y-protocols/sync. A page's step 2 and updates are counted. */
  sync: 0,
  /** Both ways: an update of y-protocols/awareness. */
  awareness: 1,
  /** From the server: how many counted messages of this connection are durable. */
  kept: 2,
  /** From the server: {@linkcode Saved}; also the first message of a connection. */
  saved: 3,
  /** From the server: {@linkcode Ended}. */
  ended: 4,
  /** From the server: {@linkcode Present}, one for each connection. */
  present: 5,
  /** From the page: save at once. Empty. */
  saveNow: 6,
} as const;

/** Messages of y-protocols/sync, by their first varint. */
export const syncSteps = { askMissing: 0, sendMissing: 1, update: 2 } as const;

/**
 * The file as it was last read or written.
 *
 * A page that connects again names the history that it has: `?document=`. Where the server has
 * another one, it refuses with `precondition_failed`: two histories of one text must never be
 * merged, as all of the text would be there twice. The page then begins again with an empty
 * document, and makes its own changes in that. A page also sends the same `?page=` (a random word)
 * each time, so that its new connection takes the place of one that has broken off.
 */
export interface Saved {
  /** Names the history of the document. */
  document: string;
  /** As in the `ETag` of the file. */
  etag: string;
  /** The time of modification, ISO 8601. */
  modified: string;
  /** The names of those whose changes were saved, as the activity log has them; empty for none. */
  by: string[];
}

/** A refusal. */
export interface Ended {
  code: ErrorCode;
  message: string;
  /** Whether the server closes the connection: a save that failed is tried again instead. */
  closing: boolean;
  /** Seconds after which another attempt makes sense. */
  retryAfter?: number;
}

/** Someone as others see it. */
export interface Person {
  /** The number of the connection; `user.id` in its awareness state. */
  id: number;
  /** The name of the user, or that which a visitor has given; "" for none. */
  name: string;
  /** A visitor without an account: pages mark it as one, in their own language. */
  guest?: true;
}

/** Someone who is in the text. */
export interface Present extends Person {
  /** The color of its cursor, as CSS. */
  color: string;
  right: "view" | "edit";
  /** Whether this is the connection that gets the message. */
  self: boolean;
}

/** `user` in the awareness states that the server passes on, as y-codemirror.next draws it. */
export interface ShownUser extends Person {
  color: string;
  colorLight: string;
}

/**
 * The colors of cursors. Each has a contrast of 4.5 : 1 to the white of the name on it, and of 3 : 1
 * to the dark background.
 */
export const cursorColors = [
  "#0f7b6c",
  "#c2410c",
  "#7352f5",
  "#b83280",
  "#2f74c0",
  "#8a6d0b",
  "#4d7c0f",
  "#c53030",
] as const;

/** What a message means. */
export type Message =
  | { kind: "sync"; step: number; payload: Uint8Array }
  | { kind: "awareness"; update: Uint8Array }
  | { kind: "kept"; count: number }
  | { kind: "saved"; saved: Saved }
  | { kind: "ended"; ended: Ended }
  | { kind: "present"; present: Present[] }
  | { kind: "saveNow" };

/**
 * Reads a message.
 *
 * @param payload of `sync` still begins with its step, as `readSyncMessage()` wants it
 * @throws {Error} for bytes that are no message
 */
export function readMessage(bytes: Uint8Array): Message {
  const decoder = decoding.createDecoder(bytes);
  const kind = decoding.readVarUint(decoder);
  switch (kind) {
    case kinds.sync: {
      const payload = bytes.subarray(decoder.pos);
      return { kind: "sync", step: decoding.readVarUint(decoder), payload };
    }
    case kinds.awareness:
      return { kind: "awareness", update: decoding.readVarUint8Array(decoder) };
    case kinds.kept:
      return { kind: "kept", count: decoding.readVarUint(decoder) };
    case kinds.saved:
      return { kind: "saved", saved: JSON.parse(decoding.readVarString(decoder)) };
    case kinds.ended:
      return { kind: "ended", ended: JSON.parse(decoding.readVarString(decoder)) };
    case kinds.present:
      return { kind: "present", present: JSON.parse(decoding.readVarString(decoder)) };
    case kinds.saveNow:
      return { kind: "saveNow" };
  }
  throw new Error(`Cannot read a message: its kind is ${kind}`);
}

type Bytes = Uint8Array<ArrayBuffer>;

function message(kind: number, write: (encoder: encoding.Encoder) => void): Bytes {
  const encoder = encoding.createEncoder();
  encoding.writeVarUint(encoder, kind);
  write(encoder);
  return encoding.toUint8Array(encoder) as Bytes;
}

/** A message of y-protocols/sync: `write` calls its `writeSyncStep1`, `writeSyncStep2` or `writeUpdate`. */
export function syncMessage(write: (encoder: encoding.Encoder) => void): Bytes {
  return message(kinds.sync, write);
}

/** @param update from `encodeAwarenessUpdate()` */
export function awarenessMessage(update: Uint8Array): Bytes {
  return message(kinds.awareness, (encoder) => encoding.writeVarUint8Array(encoder, update));
}

/** Says how many counted messages of a connection are durable. */
export function keptMessage(count: number): Bytes {
  return message(kinds.kept, (encoder) => encoding.writeVarUint(encoder, count));
}

/** Says how the file is now. */
export function savedMessage(saved: Saved): Bytes {
  return message(kinds.saved, (encoder) => encoding.writeVarString(encoder, JSON.stringify(saved)));
}

/** Says what was refused. */
export function endedMessage(ended: Ended): Bytes {
  return message(kinds.ended, (encoder) => encoding.writeVarString(encoder, JSON.stringify(ended)));
}

/** Says who is in the text. */
export function presentMessage(present: Present[]): Bytes {
  return message(
    kinds.present,
    (encoder) => encoding.writeVarString(encoder, JSON.stringify(present)),
  );
}

/** Asks the server to save at once. */
export function saveNowMessage(): Bytes {
  return message(kinds.saveNow, () => {});
}
