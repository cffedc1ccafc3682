import type { ChangeSet, Extension, Text } from "@codemirror/state";
import type { ReadonlySignal } from "@preact/signals";
import type { Present } from "../../../shared/coediting.ts";

/**
 * How a text stands that is edited with others: all of it is `saved` on the server, which writes it
 * into the file by itself; it is being sent (`saving`); the connection is lost (`offline`); the
 * server could not write the file (`failed`).
 */
export type RoomState = "saved" | "saving" | "offline" | "failed";

/** The text of a room, to be shown by a {@linkcode import("./code_view.ts").CodeView}. */
export interface RoomText {
  /** Connects the view: what is typed, undone, and the cursors of others. */
  extension: Extension;
  undo: () => void;
  redo: () => void;
  /**
   * Brings a text that is on screen and the one of the room together, before the view is connected.
   *
   * @returns the changes that make the one on screen the same as that of the room
   */
  join(onScreen: Text): ChangeSet;
}

/** The room in which a text is edited with others, for the code that knows no more of it. */
export interface TextRoom {
  readonly state: ReadonlySignal<RoomState>;
  /** Changes have come after the file was last written. */
  readonly isAhead: ReadonlySignal<boolean>;
  /** Whether the user may edit, rather than follow. */
  readonly mayEdit: ReadonlySignal<boolean>;
  /** Who is in the room, the user included. */
  readonly people: ReadonlySignal<readonly Present[]>;
  /** The text; another object when the server begins a new room. Null before it is there. */
  readonly text: ReadonlySignal<RoomText | null>;
  /** Whether there are changes that the server does not have. */
  readonly isOutstanding: ReadonlySignal<boolean>;
  /** Where one of the people is in the text; null where that is not known. */
  placeOf(id: number): number | null;
  /** Lets the server write the file at once; whether it has all of it. */
  save(): Promise<boolean>;
  /** Waits a moment for changes that are on their way. */
  settled(): Promise<void>;
  /** Gives up what the server does not have. */
  discard(): void;
}
