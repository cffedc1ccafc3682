import { Plus } from "lucide";
import { useEffect, useRef, useState } from "react";
import type { Rule } from "../../../shared/api_types.ts";
import {
  expressionFault,
  moved,
  newRule,
  type RuleOwner,
  useRuleCode,
  type Verdict,
} from "./rules.ts";
import { isolated } from "../../core/format.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { Button } from "../../../../components/Button.tsx";
import { RuleRow } from "./RuleRow.tsx";
import { RuleTester } from "./RuleTester.tsx";

interface RulesEditorProps {
  rules: readonly Rule[];
  /** The scope of the rules: global, or those of one user, which come after the global ones. */
  list: RuleOwner;
  /** The global rules, which come before those of a user. */
  global?: readonly Rule[];
  /** The rules of the user's groups, which come after the global ones. */
  groups?: readonly Rule[];
  /** What the rules are about, unless the list says it. */
  hint?: string;
  /** The user that they are of; absent for a new one. */
  user?: number;
  /** The server's error message about the rules. */
  complaint?: string;
  onChange: (rules: Rule[]) => void;
}

/** An editor of rules: add, change, reorder, test. */
export function RulesEditor(
  { rules, list, global = [], groups = [], hint, user, complaint, onChange }: RulesEditorProps,
) {
  const { t } = useTranslation();
  const editor = useRef<HTMLDivElement>(null);
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const code = useRuleCode(rules.some(({ regex }) => regex));

  // The selector of the element that takes the focus after the next render.
  const next = useRef<string | null>(null);
  useEffect(() => {
    if (next.current === null) return;
    editor.current?.querySelector<HTMLElement>(next.current)?.focus();
    next.current = null;
  });
  const change = (changed: Rule[], focus: string) => {
    next.current = focus;
    onChange(changed);
  };
  const move = (index: number, by: -1 | 1) => {
    const to = index + by;
    const isAtEnd = by < 0 ? to === 0 : to === rules.length - 1;
    change(moved(rules, index, by), `[data-rule="${to}"] [data-move="${isAtEnd ? -by : by}"]`);
  };
  const faultOf = (rule: Rule): string | undefined => {
    if (rule.regex) {
      const reason = code && expressionFault(code, rule.regexp.raw);
      return reason ? t("settings.rules.broken", { reason: isolated(reason) }) : undefined;
    }
    const isDotted = rule.path.split("/").some((segment) => segment === "." || segment === "..");
    return isDotted ? t("settings.rules.dotted") : undefined;
  };

  return (
    <div
      ref={editor}
      className="rules"
      id="field-rules"
      role="group"
      tabIndex={-1}
      aria-labelledby="rules-title"
      aria-describedby="rules-text"
    >
      <h3 className="field__label" id="rules-title">{t("settings.rules.title")}</h3>
      <p className="field__hint" id="rules-text">{hint ?? t(`settings.rules.${list}Text`)}</p>
      {rules.length > 0 && (
        <ol className="rules__list">
          {rules.map((rule, index) => (
            <RuleRow
              key={index}
              rule={rule}
              index={index}
              count={rules.length}
              complaint={faultOf(rule)}
              decides={verdict?.by?.list === list && verdict.by.index === index}
              onChange={(changed) =>
                onChange(rules.map((each, at) => at === index ? changed : each))}
              onMove={(by) => move(index, by)}
              onRemove={() => change(rules.filter((_, at) => at !== index), "[data-add]")}
            />
          ))}
        </ol>
      )}
      {complaint && <p className="field__complaint" role="alert">{complaint}</p>}
      <div className="rules__acts">
        <Button
          glyph={Plus}
          data-add
          onClick={() =>
            change([...rules, newRule()], `[data-rule="${rules.length}"] .rule__allow`)}
        >
          {t("settings.rules.add")}
        </Button>
      </div>
      {(global.length + groups.length + rules.length > 0 || user !== undefined) && (
        <RuleTester
          list={list}
          global={global}
          groups={groups}
          rules={rules}
          user={user}
          onVerdict={setVerdict}
        />
      )}
    </div>
  );
}
