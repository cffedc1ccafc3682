import type { TFunction } from "i18next";
import type { Failure } from "./result.ts";

/** Why a call failed, as a sentence in the user's language. */
export function reasonOf(t: TFunction, { code, retryAfter }: Failure): string {
  if (code === "throttled") return t("errors.throttled", { count: retryAfter ?? 60 });
  // A server newer than this page may have codes that it does not know.
  return t(`errors.${code}`, { defaultValue: t("errors.unknown") });
}
