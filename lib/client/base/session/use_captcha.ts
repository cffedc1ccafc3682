import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePage } from "../core/page.ts";

/** The API of reCAPTCHA's script (version 2, explicit rendering). */
interface WidgetScript {
  ready(then: () => void): void;
  render(place: HTMLElement, options: Record<string, unknown>): number;
  getResponse(widget: number): string;
  reset(widget: number): void;
}

/** The options of a captcha widget. */
export interface CaptchaOptions {
  /** The origin of the script. */
  host: string;
  key: string;
  dark: boolean;
  /** A language tag. */
  language: string;
}

/** A rendered widget. */
export interface CaptchaWidget {
  /** The response token, valid once and for two minutes; "" until it is solved. */
  token(): string;
  /** Resets it. */
  again(): void;
}

/** The screen width below which the compact widget is used, in pixels. */
const usualWidth = 340;

let loading: Promise<WidgetScript> | undefined;

/**
 * Renders a widget in an element, once its script is loaded.
 *
 * @throws Error when the script can't be loaded
 */
async function showCaptcha(
  place: HTMLElement,
  { host, key, dark, language }: CaptchaOptions,
): Promise<CaptchaWidget> {
  loading ??= load(`${host}/recaptcha/api.js?render=explicit&hl=${language}`);
  const script = await loading;
  // A widget can't be removed from an element, nor change its theme.
  const own = document.createElement("div");
  place.replaceChildren(own);
  const widget = script.render(own, {
    sitekey: key,
    theme: dark ? "dark" : "light",
    size: innerWidth < usualWidth ? "compact" : "normal",
  });
  return { token: () => script.getResponse(widget), again: () => script.reset(widget) };
}

function load(address: string): Promise<WidgetScript> {
  return new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = address;
    element.onload = () => {
      const script: WidgetScript | undefined = Reflect.get(globalThis, "grecaptcha");
      if (script) script.ready(() => resolve(script));
      else reject(new Error("Cannot show the captcha: its script is another one"));
    };
    element.onerror = () => {
      loading = undefined;
      reject(new Error("Cannot show the captcha: its script did not come"));
    };
    document.head.append(element);
  });
}

/** The captcha of a form. */
export interface Captcha {
  /** The element that holds the widget. */
  place: RefObject<HTMLDivElement>;
  /** The response token; "" until it is solved. */
  token(): string;
  /** Resets the captcha, as a response token is valid once; or retries loading its script. */
  again(): void;
  /** Its script could not be loaded. */
  failed: boolean;
}

/** Shows the site's captcha in the page's theme and language; null if it has none. */
export function useCaptcha(): Captcha | null {
  const { ReCaptcha, ReCaptchaHost, ReCaptchaKey, Theme } = usePage().data.config;
  const { language } = useTranslation().i18n;
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
      const options = { host: ReCaptchaHost, key: ReCaptchaKey, dark, language };
      try {
        widget.current = await showCaptcha(place.current, options);
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
    token: () => widget.current?.token() ?? "",
    again() {
      widget.current?.again();
      if (!failed) return;
      setFailed(false);
      setTries(tries + 1);
    },
    failed,
  };
}
