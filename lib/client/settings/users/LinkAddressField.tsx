import { TextField } from "../../../../components/Fields.tsx";
import { useTranslation } from "../../core/use_translation.ts";

interface LinkAddressFieldProps {
  name: string;
  value: string;
  complaint: string | undefined;
  onChange: (address: string) => void;
  /** Makes the link on Enter, where that would send another form. */
  onEnter?: () => void;
}

/** The address for mail that a new link is sent to as well. */
export function LinkAddressField(
  { name, value, complaint, onChange, onEnter }: LinkAddressFieldProps,
) {
  const { t } = useTranslation();
  return (
    <TextField
      name={name}
      label={t("mail.address")}
      hint={t("mail.addressHint")}
      complaint={complaint}
      type="email"
      verbatim
      autoComplete="off"
      value={value}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !onEnter) return;
        event.preventDefault();
        onEnter();
      }}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}
