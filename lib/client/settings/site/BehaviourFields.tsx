import type { UserPreferences } from "../../../shared/api_types.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { CheckField } from "../../../../components/CheckField.tsx";

type Behaviour = Pick<UserPreferences, "hideDotfiles" | "singleClick" | "dateFormat">;

interface BehaviourFieldsProps {
  value: Behaviour;
  onChange: (change: Partial<Behaviour>) => void;
}

/** How listings behave. */
export function BehaviourFields({ value, onChange }: BehaviourFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="checks">
      <CheckField
        name="hideDotfiles"
        label={t("settings.hideDotfiles")}
        hint={t("settings.hideDotfilesHint")}
        checked={value.hideDotfiles}
        onChange={(hideDotfiles) => onChange({ hideDotfiles })}
      />
      <CheckField
        name="singleClick"
        label={t("settings.singleClick")}
        checked={value.singleClick}
        onChange={(singleClick) => onChange({ singleClick })}
      />
      <CheckField
        name="dateFormat"
        label={t("settings.dateFormat")}
        hint={t("settings.dateFormatHint")}
        checked={value.dateFormat}
        onChange={(dateFormat) => onChange({ dateFormat })}
      />
    </div>
  );
}
