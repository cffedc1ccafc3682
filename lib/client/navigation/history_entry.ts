/** What an entry of the browser's history says of itself: its state, plain JSON. */
export interface HistoryEntry {
  /** Tells it from the others of the tab. */
  readonly cubby: string;
  /** How many entries lie before it. */
  readonly depth: number;
  /** Where the user was when it was made; null when that is not known. */
  readonly from: string | null;
}

/** A new entry. */
export function newEntry(depth: number, from: string | null): HistoryEntry {
  // `crypto.randomUUID` is missing on plain http, and this need only differ within one tab.
  return { cubby: Math.random().toString(36).slice(2), depth, from };
}

/** The entry of a state; null for a state of another's making. */
export function entryOf(state: unknown): HistoryEntry | null {
  const { cubby, depth, from } = (state ?? {}) as Partial<Record<keyof HistoryEntry, unknown>>;
  if (typeof cubby !== "string" || typeof depth !== "number") return null;
  return { cubby, depth, from: typeof from === "string" ? from : null };
}
