/** Settings of an application. */
export interface FreshConfig {
  /** The path the application lives under, such as `/files`; empty for the root of the site. */
  basePath?: string;
  /** `production` unless said otherwise; the builder sets it for a built application. */
  mode?: "development" | "production";
  /** Makes `ctx.url` honour X-Forwarded-Proto and X-Forwarded-Host. Only behind a proxy that sets them. */
  trustProxy?: boolean;
}

/** The settings in force, with every default filled in. */
export interface ResolvedFreshConfig {
  /** The folder of the application, or `.` before a build is attached. */
  root: string;
  /** The path the application lives under; empty for the root of the site. */
  basePath: string;
  /** Whether this is the development server. */
  mode: "development" | "production";
  /** Whether the X-Forwarded headers are believed. */
  trustProxy: boolean;
}
