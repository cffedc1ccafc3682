import type { TFunction } from "i18next";
import { reasonOf } from "../api/reasons.ts";
import type { Target } from "./target.ts";
import type { Toasts } from "../ui/toasts.ts";

/** The names of what an action works on; null when they can't be read, which is told. */
export async function namesFor(
  { toasts, t }: { toasts: Toasts; t: TFunction },
  deed: "copy" | "move" | "delete" | "download",
  target: Target,
): Promise<string[] | null> {
  const names = await target.names();
  if (names.ok) return names.value;
  toasts.error(t(`failures.${deed}`, { reason: reasonOf(t, names) }));
  return null;
}
