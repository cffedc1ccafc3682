import { Check, Link } from "lucide";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { copyText } from "../../base/core/copy_text.ts";

interface LinkLineProps {
  link: string;
  /** The button takes the focus. */
  focused?: boolean;
  /** Set for a link that was just made: whether it is on the clipboard. */
  made?: { isCopied: boolean };
}

/** The address of a link, and the button that copies it; selected where the browser does not. */
export function LinkLine({ link, focused = false, made }: LinkLineProps) {
  const { t } = useTranslation();
  const address = useRef<HTMLInputElement>(null);
  const copying = useRef<HTMLButtonElement>(null);
  const [copied, setCopied] = useState("");
  const [isRefused, setRefused] = useState(false);
  const tell = (isCopied: boolean) => {
    setCopied(isCopied ? link : "");
    setRefused(!isCopied);
    if (!isCopied) address.current?.focus();
  };
  useEffect(() => {
    if (focused) copying.current?.focus();
  }, []);
  useEffect(() => {
    if (made) tell(made.isCopied);
  }, [made]);
  const isCopied = copied === link;
  return (
    <div className="link-line">
      <input
        ref={address}
        className="field__input link-line__address"
        readOnly
        dir="ltr"
        value={link}
        aria-label={t("sharing.copyLink")}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        buttonRef={copying}
        glyph={isCopied ? Check : Link}
        onClick={() => void copyText(link).then(tell)}
      >
        {t(isCopied ? "sharing.copied" : "sharing.copyLink")}
      </Button>
      {isRefused && <p className="link-line__complaint" role="alert">{t("sharing.copyByHand")}</p>}
      <span className="unseen" role="status">{isCopied && t("sharing.copied")}</span>
    </div>
  );
}
