/** The settings in a browser: their pages, and the records that tests begin with. */
import type { Locator, Page } from "playwright-core";
import type { ShareInfo } from "../../../lib/shared/schemas/share.ts";
import type { ShareDraft, ShareTerms } from "../../../lib/client/files_page/sharing/share_api.ts";
import type { RunningServer } from "../server/server.ts";
import { islandsAwake } from "./awake.ts";

/** Opens a page of the settings, and waits until its forms take what is typed. */
export async function openSettings(page: Page, name: string): Promise<void> {
  await page.goto(`/settings/${name}`);
  await awake(page);
}

/** Waits until the forms of a page take what is typed, and Enter sends them. */
export async function awake(page: Page): Promise<void> {
  const asleep = page.locator("form[inert], .login__submit[type=button]");
  await asleep.first().waitFor({ state: "detached" });
  await islandsAwake(page);
}

/**
 * Waits until the form that a button has opened takes what is typed: then it has the focus, and has
 * scrolled into view.
 */
export async function formOpened(part: Locator): Promise<void> {
  await part.locator("form:focus-within").waitFor();
}

/** Signs in beside the browser; answers with the token. */
export async function tokenFor(
  server: RunningServer,
  username: string,
  password: string,
): Promise<string> {
  const body = JSON.stringify({ username, password });
  const answer = await fetch(`${server.url}/api/login`, { method: "POST", body });
  const token = await answer.text();
  if (!answer.ok) throw new Error(`Cannot sign in as ${username}: ${token}`);
  return token;
}

/** The password of users that {@linkcode addUser} makes. */
export const theirPassword = "four herons at dawn";

/** Makes a user beside the browser; answers with the address of its page: "users/2". */
export async function addUser(
  server: RunningServer,
  username: string,
  data: object = {},
): Promise<string> {
  const token = await tokenFor(server, server.username, server.password);
  const answer = await fetch(`${server.url}/api/users`, {
    method: "POST",
    headers: { "x-auth": token },
    body: JSON.stringify({
      what: "user",
      current_password: server.password,
      data: { username, password: theirPassword, ...data },
    }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Cannot add ${username}: ${text}`);
  return (answer.headers.get("location") ?? "").replace("/settings/", "");
}

/** Shares a path beside the browser, as the first administrator. */
export async function share(
  server: RunningServer,
  path: string,
  draft: Partial<ShareDraft & ShareTerms> = {},
): Promise<ShareInfo> {
  const token = await tokenFor(server, server.username, server.password);
  const init = { method: "POST", headers: { "x-auth": token }, body: JSON.stringify(draft) };
  const answer = await fetch(`${server.url}/api/share${path}`, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Cannot share ${path}: ${text}`);
  return JSON.parse(text);
}

/** The button of a form that takes what is pressed: it submits nothing before. */
export function submits(page: Page): Locator {
  return page.locator("button[type=submit]");
}

/** Signs in as somebody by the form. */
export async function enterAs(
  page: Page,
  username: string,
  password = theirPassword,
): Promise<void> {
  await page.context().clearCookies();
  await page.goto("/login");
  await awake(page);
  await page.getByLabel("Username").fill(username);
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).and(submits(page)).click();
  await page.waitForURL("/files/");
}
