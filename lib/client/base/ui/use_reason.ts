import { useTranslation } from "react-i18next";
import type { Failure } from "../../../shared/result.ts";
import { reasonOf } from "../api/reasons.ts";
import { throttledText } from "../core/format_details.ts";

/**
 * The error message of a failure, with the time of the next attempt after too many. In a file of its
 * own, as lists need it without forms.
 */
export function useReason(): (why: Failure) => string {
  const { t, i18n: { language } } = useTranslation();
  return (why) =>
    why.code === "throttled" ? throttledText(t, language, why.retryAfter) : reasonOf(t, why);
}
