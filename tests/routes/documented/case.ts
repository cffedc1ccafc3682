import type { CallOptions, TestApp } from "../../support/server/app.ts";

/** What a request carries; made anew for each when its body can be read only once. */
export type Carried = CallOptions | (() => CallOptions | Promise<CallOptions>);

/** One request, and how the document says that it is answered. */
export interface Case {
  /** The operation's id in the document. */
  id: string;
  /** "200 application/json", "403 forbidden". */
  gives: string;
  /** With its query. */
  path: string;
  /** The administrator's token goes along unless another is named; "" for none. */
  carried: Carried;
  app: TestApp;
}

/** What the requests are made on. */
export interface Scene {
  app: TestApp;
  /** A server where nobody signs in. */
  open: TestApp;
  /** A server that wants a captcha solved, and searches in contents. */
  guarded: TestApp;
  /** A server that lets commands be typed, though it can start none. */
  commanding: TestApp;
  /** A server that would run commands, had it a sandbox. */
  sandboxless: TestApp;
  /** A server where a command before each operation refuses it. */
  hooking: TestApp;
  /** A server with webhooks. */
  telling: TestApp;
  /** A server with an office server. */
  editing: TestApp;
}

/** Writes the cases of one operation: `ask("404 not_found", "/none")`. */
export type Ask = (gives: string, rest: string, carried?: Carried, app?: TestApp) => Case;

/** @param prefix what the paths of all cases begin with */
export function asking(id: string, prefix: string, { app }: Scene): Ask {
  return (gives, rest, carried = {}, of = app) => {
    return { id, gives, path: prefix + rest, carried, app: of };
  };
}

/** A body that breaks off. */
export function brokenBody(): CallOptions {
  const body = new ReadableStream({
    pull: (controller) => controller.error(new TypeError("The connection was reset")),
  });
  return { body };
}
