/** Patterns of browsers, the most specific first, as most also name other browsers. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\b(?:iPhone|iPod)\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/**
 * The browser and the system of a `User-Agent`, if known; for programs their own name: "curl" for
 * "curl/8.5.0".
 */
export function agentName(agent: string): { browser: string; system?: string } {
  const find = (known: typeof BROWSERS) => known.find(([pattern]) => pattern.test(agent))?.[1];
  return { browser: find(BROWSERS) ?? agent.split(/[\s/(]/, 1)[0] ?? "", system: find(SYSTEMS) };
}
