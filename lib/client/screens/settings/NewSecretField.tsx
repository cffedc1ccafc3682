import { Copy } from "lucide";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../components/Button.tsx";
import { TextField } from "../../../../components/Fields.tsx";
import { copyText } from "../../base/core/copy_text.ts";
import { useToasts } from "../../base/core/use_site.ts";

interface NewSecretFieldProps {
  name: string;
  secret: string;
  label: string;
  hint: string;
  /** The name of the button that copies it, and the message afterwards. */
  copyLabel: string;
  copied: string;
}

/** Shows a new secret, this once: focused and selected, so that it can be copied at once. */
export function NewSecretField({ secret, copyLabel, copied, ...field }: NewSecretFieldProps) {
  const { t } = useTranslation();
  const toasts = useToasts();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [secret]);

  const copy = async () => {
    if (await copyText(secret)) toasts.success(copied);
    else toasts.error(t("sharing.noCopy"));
  };
  return (
    <TextField
      {...field}
      verbatim
      readOnly
      inputRef={input}
      value={secret}
      end={<IconButton label={copyLabel} glyph={Copy} onClick={() => void copy()} />}
    />
  );
}
