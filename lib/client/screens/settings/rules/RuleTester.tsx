import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type EntryPath, parsePath } from "../../../../shared/path.ts";
import type { Rule } from "../../../../shared/schemas/rights.ts";
import { AccessCheck } from "./AccessCheck.tsx";
import { evaluateRules, type RuleDecision, type RuleOwner, useRuleCode } from "./rules.ts";
import { TextField } from "../../../../../components/Fields.tsx";

interface RuleTesterProps {
  list: RuleOwner;
  global: readonly Rule[];
  /** The rules of the user's groups, after the global ones. */
  groups: readonly Rule[];
  rules: readonly Rule[];
  /** The user whose whole access can be checked as well. */
  user?: number;
  onDecision: (decision: RuleDecision | null) => void;
}

/**
 * Shows the result of the rules for a typed path, and the rule that decides; for a user also what
 * else decides, for each action.
 */
export function RuleTester({ list, global, groups, rules, user, onDecision }: RuleTesterProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState(0);
  const code = useRuleCode(typed !== "");
  const path = pathOf(typed);
  const decision = useMemo(() => {
    if (!code || !path) return null;
    return list === "global"
      ? evaluateRules(code, path, rules, [])
      : evaluateRules(code, path, [...global, ...groups], rules);
  }, [code, path, list, global, groups, rules]);
  useEffect(() => onDecision(decision), [decision]);

  return (
    <div className="rules__tester">
      <TextField
        name="rule-test"
        label={t("settings.rules.test")}
        placeholder="/photos/sea.jpg"
        complaint={path === null ? t("errors.invalid_path") : undefined}
        verbatim
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          setAsked(asked + 1);
        }}
      />
      <p className="rules__verdict" role="status" data-allowed={decision?.allowed}>
        {decision && wordsFor(decision)}
      </p>
      {user !== undefined && (
        <AccessCheck
          user={user}
          path={path}
          asked={asked}
          onPath={setTyped}
        />
      )}
    </div>
  );

  function wordsFor({ allowed, by }: RuleDecision): string {
    const place = (by?.index ?? 0) + 1;
    const decision = t(allowed ? "settings.rules.allowed" : "settings.rules.denied");
    if (by === null) return `${decision} ${t("settings.rules.byNone")}`;
    if (by.list !== list && by.index >= global.length) {
      return `${decision} ${t("settings.rules.byGroup")}`;
    }
    return by.list === list
      ? `${decision} ${t("settings.rules.byRule", { place })}`
      : `${decision} ${t("settings.rules.byGlobal", { place })}`;
  }
}

/** The typed path, "" while there is none; null when it is invalid. */
function pathOf(typed: string): EntryPath | "" | null {
  if (typed.trim() === "") return "";
  try {
    return parsePath(typed).path;
  } catch {
    return null;
  }
}
