import type { Step } from "./cursor.ts";

/** What a press of keys asks for. */
export type Shortcut =
  | { does: "delete" | "escape" | "selectAll" | "open" | "up" | "toggle" }
  | { does: "step"; step: Step; extend: boolean }
  | { does: "type"; character: string };

/** What a press of keys asks for in the files area; null when it is none of ours. */
export declare function shortcutOf(event: KeyboardEvent): Shortcut | null;
