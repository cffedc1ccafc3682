import { asset } from "fresh/runtime";
import { define } from "../lib/server/http/define.ts";
import { frameColors } from "../lib/shared/page_data.ts";
import { directionOf, FALLBACK_LOCALE, languageTag } from "../lib/shared/i18n/locales.ts";

/** The document around every page. */
export default define.page(function App({ Component, config, state }) {
  const data = state.page?.data;
  const locale = data?.locale ?? FALLBACK_LOCALE;
  const theme = data?.config.Theme;
  // A file is shown at once by the styles of late code.
  const isFile = data?.files?.resource?.isDir === false;
  const frames = theme ? [theme] : (["light", "dark"] as const);
  return (
    <html lang={languageTag(locale)} dir={directionOf(locale)} data-theme={theme || undefined}>
      <head>
        <meta charset="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        <meta name="color-scheme" content={theme || "light dark"} />
        {frames.map((frame) => (
          <meta
            key={frame}
            name="theme-color"
            content={data?.config.Color || frameColors[frame]}
            media={theme ? undefined : `(prefers-color-scheme: ${frame})`}
          />
        ))}
        {data?.config.Icon
          ? <link rel="icon" href={data.config.Icon} />
          : <link rel="icon" type="image/svg+xml" href={asset(config.basePath + "/favicon.svg")} />}
        <link
          rel="stylesheet"
          href={asset(config.basePath + "/styles.css")}
          data-late={isFile ? undefined : asset(config.basePath + "/late.css")}
        />
        {isFile && <link rel="stylesheet" href={asset(config.basePath + "/late.css")} />}
        <link rel="stylesheet" media="print" href={asset(config.basePath + "/print.css")} />
        <link
          rel="apple-touch-icon"
          href={asset(config.basePath + "/icons/apple-touch-icon.png")}
        />
        {data?.config.Installable && (
          <link
            rel="manifest"
            href={`${config.basePath}/manifest.webmanifest`}
            crossorigin="use-credentials"
          />
        )}
        {data?.config.CustomCss && <link rel="stylesheet" href={data.config.CustomCss} />}
      </head>
      <body>
        <Component />
      </body>
    </html>
  );
});
