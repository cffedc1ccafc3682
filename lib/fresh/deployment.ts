/** The running build. */
export interface Deployment {
  /** The id of the build, for the URLs of static files. */
  buildId: string;
  /** In the browser, the path the application lives under. */
  basePath: string;
}

const SCRIPT_PATH = /^(.*)\/_fresh\/js\/([^/]+)\/[^/]+$/;

/** The running build. In the browser both parts come from the address of the script. */
export const deployment: Deployment = typeof document === "undefined"
  ? { buildId: crypto.randomUUID(), basePath: "" }
  : fromScript(import.meta.url);

function fromScript(url: string): Deployment {
  const [, basePath = "", buildId = ""] = SCRIPT_PATH.exec(new URL(url).pathname) ?? [];
  return { buildId, basePath };
}
