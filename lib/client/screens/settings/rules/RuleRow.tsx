import { useTranslation } from "react-i18next";
import type { Rule } from "../../../../shared/schemas/rights.ts";
import { textOf, withText } from "./rules.ts";
import { RowActs } from "../RowActs.tsx";

interface RuleRowProps {
  rule: Rule;
  index: number;
  count: number;
  complaint?: string;
  /** It decides about the tested path. */
  decides: boolean;
  onChange: (rule: Rule) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

/** One rule: allow or deny, its pattern, and its position in the list. */
export function RuleRow(
  { rule, index, count, complaint, decides, onChange, onMove, onRemove }: RuleRowProps,
) {
  const { t } = useTranslation();
  const place = index + 1;
  const note = `rule-${index}-note`;
  return (
    <li className="edit-row edit-row--rule" data-row={index} data-decides={decides || undefined}>
      <select
        className="field__input"
        aria-label={t("settings.rules.verdict", { place })}
        value={rule.allow ? "allow" : "deny"}
        onChange={(event) =>
          onChange({ ...rule, allow: event.currentTarget.value === "allow" })}
      >
        <option value="allow" selected={rule.allow}>{t("settings.rules.allow")}</option>
        <option value="deny" selected={!rule.allow}>{t("settings.rules.deny")}</option>
      </select>
      <select
        className="field__input"
        aria-label={t("settings.rules.kind", { place })}
        value={rule.regex ? "regex" : "path"}
        onChange={(event) =>
          onChange({ ...rule, regex: event.currentTarget.value === "regex" })}
      >
        <option value="path" selected={!rule.regex}>{t("settings.rules.path")}</option>
        <option value="regex" selected={rule.regex}>{t("settings.rules.regex")}</option>
      </select>
      <input
        type="text"
        className="field__input edit-row__text"
        aria-label={t("settings.rules.text", { place })}
        aria-invalid={complaint ? true : undefined}
        aria-describedby={complaint ? note : undefined}
        placeholder={rule.regex ? "\\.tmp$" : "/private"}
        spellcheck={false}
        dir="auto"
        autoCapitalize="none"
        autoComplete="off"
        value={textOf(rule)}
        onInput={(event) =>
          onChange(withText(rule, event.currentTarget.value))}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <RowActs of="rules" index={index} count={count} onMove={onMove} onRemove={onRemove} />
      {complaint && <p className="edit-row__note field__complaint" id={note}>{complaint}</p>}
    </li>
  );
}
