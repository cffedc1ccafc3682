import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "../core/use_translation.ts";
import { type CaptchaWidget, showCaptcha } from "./captcha.ts";
import { usePage } from "../core/page.ts";

/** The captcha of a form. */
export interface Captcha {
  /** Where it is to be shown. */
  place: RefObject<HTMLDivElement>;
  /** What proves that it was solved; "" while it was not. */
  proof(): string;
  /** Has it solved anew, as a proof counts once; or tries again to have its script. */
  again(): void;
  /** Its script did not come. */
  failed: boolean;
}

/** Shows the captcha that the site wants, in the colours and language of the page; null for none. */
export function useCaptcha(): Captcha | null {
  const { ReCaptcha, ReCaptchaHost, ReCaptchaKey, Theme } = usePage().data.config;
  const { language } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const widget = useRef<CaptchaWidget | null>(null);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(1);

  useEffect(() => {
    if (!ReCaptcha) return;
    const media = matchMedia("(prefers-color-scheme: dark)");
    const show = async () => {
      if (!place.current) return;
      const dark = Theme === "dark" || (Theme === "" && media.matches);
      const wishes = { host: ReCaptchaHost, key: ReCaptchaKey, dark, language };
      try {
        widget.current = await showCaptcha(place.current, wishes);
      } catch {
        setFailed(true);
      }
    };
    void show();
    media.addEventListener("change", show);
    return () => media.removeEventListener("change", show);
  }, [ReCaptcha, ReCaptchaHost, ReCaptchaKey, Theme, language, tries]);

  if (!ReCaptcha) return null;
  return {
    place,
    proof: () => widget.current?.proof() ?? "",
    again() {
      widget.current?.again();
      if (!failed) return;
      setFailed(false);
      setTries(tries + 1);
    },
    failed,
  };
}
