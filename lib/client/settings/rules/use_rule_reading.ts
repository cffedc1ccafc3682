import { useEffect } from "react";
import { ruleReading } from "./rule_check.ts";

/**
 * How the server reads rules; null until it is there.
 *
 * @param wanted whether something is to be read by now
 */
export function useRuleReading(wanted: boolean): typeof import("./late_rules.ts") | null {
  useEffect(() => {
    if (wanted) ruleReading.want();
  }, [wanted]);
  const now = ruleReading.now.value;
  return now.is === "ready" ? now.part : null;
}
