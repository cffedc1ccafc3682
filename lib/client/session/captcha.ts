/** What reCAPTCHA's script offers once it is ready (version 2, rendered where we say). */
interface WidgetScript {
  ready(then: () => void): void;
  render(place: HTMLElement, wishes: Record<string, unknown>): number;
  getResponse(widget: number): string;
  reset(widget: number): void;
}

/** How a widget is to look, and for which site it stands. */
export interface CaptchaWishes {
  /** The origin of the script. */
  host: string;
  key: string;
  dark: boolean;
  /** A language tag. */
  language: string;
}

/** A widget that visitors solve. */
export interface CaptchaWidget {
  /** The proof of having solved it, which counts once and for two minutes; "" without one. */
  proof(): string;
  /** Has it solved anew. */
  again(): void;
}

/** On a screen narrower than this, in pixels, the widget comes in a narrow form. */
const usualWidth = 340;

let loading: Promise<WidgetScript> | undefined;

/**
 * Shows a widget in place of what is in an element, when its script has come.
 *
 * @throws Error when the script can't be had
 */
export async function showCaptcha(
  place: HTMLElement,
  { host, key, dark, language }: CaptchaWishes,
): Promise<CaptchaWidget> {
  loading ??= load(`${host}/recaptcha/api.js?render=explicit&hl=${language}`);
  const script = await loading;
  // A widget can't be taken back from an element, nor change its colours.
  const own = document.createElement("div");
  place.replaceChildren(own);
  const widget = script.render(own, {
    sitekey: key,
    theme: dark ? "dark" : "light",
    size: innerWidth < usualWidth ? "compact" : "normal",
  });
  return { proof: () => script.getResponse(widget), again: () => script.reset(widget) };
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
