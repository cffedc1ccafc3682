import { useTranslation } from "../../core/use_translation.ts";
import { TextField } from "../../../../components/TextField.tsx";

interface ScopeFieldProps {
  value: string;
  /** Without a scope a home is made. */
  makesHome?: boolean;
  complaint?: string;
  onChange: (scope: string) => void;
}

/** The folder that is all a user sees. */
export function ScopeField({ value, makesHome, complaint, onChange }: ScopeFieldProps) {
  const { t } = useTranslation();
  return (
    <TextField
      name="scope"
      label={t("settings.scope")}
      hint={t(makesHome ? "settings.scopeHome" : "settings.scopeHint")}
      placeholder={makesHome ? "" : "/"}
      verbatim
      value={value}
      complaint={complaint}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}
