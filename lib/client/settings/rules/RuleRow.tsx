import { ArrowDown, ArrowUp, X } from "lucide";
import type { Rule } from "../../../shared/api_types.ts";
import { textOf, withText } from "./rules.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { IconButton } from "../../../../components/Button.tsx";

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
    <li className="rule" data-rule={index} data-decides={decides || undefined}>
      <select
        className="field__input rule__allow"
        aria-label={t("settings.rules.verdict", { place })}
        value={rule.allow ? "allow" : "deny"}
        onChange={(event) => onChange({ ...rule, allow: event.currentTarget.value === "allow" })}
      >
        <option value="allow" selected={rule.allow}>{t("settings.rules.allow")}</option>
        <option value="deny" selected={!rule.allow}>{t("settings.rules.deny")}</option>
      </select>
      <select
        className="field__input rule__kind"
        aria-label={t("settings.rules.kind", { place })}
        value={rule.regex ? "regex" : "path"}
        onChange={(event) => onChange({ ...rule, regex: event.currentTarget.value === "regex" })}
      >
        <option value="path" selected={!rule.regex}>{t("settings.rules.path")}</option>
        <option value="regex" selected={rule.regex}>{t("settings.rules.regex")}</option>
      </select>
      <input
        type="text"
        className="field__input rule__text"
        aria-label={t("settings.rules.text", { place })}
        aria-invalid={complaint ? true : undefined}
        aria-describedby={complaint ? note : undefined}
        placeholder={rule.regex ? "\\.tmp$" : "/private"}
        spellcheck={false}
        dir="auto"
        autoCapitalize="none"
        autoComplete="off"
        value={textOf(rule)}
        onInput={(event) => onChange(withText(rule, event.currentTarget.value))}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <div className="rule__acts">
        <IconButton
          data-move="-1"
          label={t("settings.rules.up", { place })}
          glyph={ArrowUp}
          disabled={index === 0}
          onClick={() => onMove(-1)}
        />
        <IconButton
          data-move="1"
          label={t("settings.rules.down", { place })}
          glyph={ArrowDown}
          disabled={index === count - 1}
          onClick={() => onMove(1)}
        />
        <IconButton label={t("settings.rules.remove", { place })} glyph={X} onClick={onRemove} />
      </div>
      {complaint && <p className="rule__note field__complaint" id={note}>{complaint}</p>}
    </li>
  );
}
