/** What tells of events: the window, the document. */
export type Listens = Pick<EventTarget, "addEventListener" | "removeEventListener">;
