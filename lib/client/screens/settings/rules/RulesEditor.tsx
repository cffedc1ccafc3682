import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Rule } from "../../../../shared/schemas/rights.ts";
import {
  expressionFault,
  newRule,
  type RuleDecision,
  type RuleOwner,
  useRuleCode,
} from "./rules.ts";
import { isolated } from "../../../base/core/format.ts";
import { EditRows } from "../EditRows.tsx";
import { RuleRow } from "./RuleRow.tsx";
import type { Bound } from "../../../base/ui/use_form.ts";
import { useRows } from "../use_rows.ts";
import { RuleTester } from "./RuleTester.tsx";

interface RulesEditorProps extends Omit<Bound<Rule[]>, "name"> {
  /** The scope of the rules: global, or those of one user, which come after the global ones. */
  list: RuleOwner;
  /** The global rules, which come before those of a user. */
  global?: readonly Rule[];
  /** The rules of the user's groups, which come after the global ones. */
  groups?: readonly Rule[];
  /** The subject of the rules, unless the list says it. */
  hint?: string;
  /** The user that they are of; absent for a new one. */
  user?: number;
  /** It is folded away while there are no rules to test. */
  folds?: boolean;
}

/** An editor of rules: add, change, reorder, test. */
export function RulesEditor(
  { value: rules, list, global = [], groups = [], hint, user, folds, complaint, onChange }:
    RulesEditorProps,
) {
  const { t } = useTranslation();
  const { box, ...edit } = useRows(rules, onChange);
  const [decision, setDecision] = useState<RuleDecision | null>(null);
  const code = useRuleCode(rules.some(({ regex }) => regex));

  const faultOf = (rule: Rule): string | undefined => {
    if (rule.regex) {
      const reason = code && expressionFault(code, rule.regexp.raw);
      return reason ? t("settings.rules.broken", { reason: isolated(reason) }) : undefined;
    }
    const isDotted = rule.path.split("/").some((segment) => segment === "." || segment === "..");
    return isDotted ? t("settings.rules.dotted") : undefined;
  };

  return (
    <EditRows
      name="rules"
      title={t("settings.rules.title")}
      hint={hint ?? t(`settings.rules.${list}Text`)}
      box={box}
      folds={folds}
      complaint={complaint}
      add={t("settings.rules.add")}
      onAdd={() => edit.add(newRule())}
      rows={rules.map((rule, index) => (
        <RuleRow
          key={index}
          rule={rule}
          index={index}
          count={rules.length}
          complaint={faultOf(rule)}
          decides={decision?.by?.list === list && decision.by.index === index}
          onChange={(changed) => edit.set(index, changed)}
          onMove={(by) => edit.move(index, by)}
          onRemove={() => edit.remove(index)}
        />
      ))}
    >
      {(global.length + groups.length + rules.length > 0 || user !== undefined) && (
        <RuleTester
          list={list}
          global={global}
          groups={groups}
          rules={rules}
          user={user}
          onDecision={setDecision}
        />
      )}
    </EditRows>
  );
}
