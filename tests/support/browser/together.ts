/** People who write in one text, each in a browser of one's own. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { RunningServer } from "../server/server.ts";
import { permissionsWhere } from "../../../lib/shared/schemas/choices/choices.ts";
import { signIn } from "./browser_tests.ts";
import { addUser, theirPassword } from "./settings.ts";

/** How the line below a text says that it stands. */
const STATES = {
  saved: "All changes saved",
  offline: "Offline: your changes are kept here and sent when you are back",
  following: "Following live",
} as const;

/** Waits until a text that is edited with others says how it stands; an exact state, not a former one. */
export async function togetherIs(page: Page, state: keyof typeof STATES): Promise<void> {
  const room = state === "following" ? "saved" : state;
  const line = page.locator(`.editor__state[data-room="${room}"]`);
  await line.getByText(STATES[state], { exact: true }).waitFor();
}

/** A person's own browser, in which a page is open. */
export interface Visitor extends AsyncDisposable {
  page: Page;
}

/** Opens a page in a browser context of its own, without signing in. */
export async function comeAsGuest(
  { page, server }: { page: Page; server: RunningServer },
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const browser = page.context().browser() as Browser;
  const context = await browser.newContext({ baseURL: server.url, locale: "en", ...options });
  context.setDefaultTimeout(30_000);
  return { page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() };
}

/** Makes a user, who opens an address in a browser context of one's own. */
export async function comeAs(
  fixture: { page: Page; server: RunningServer },
  username: string,
  address: string,
  { mayModify = true, ...options }: BrowserContextOptions & { mayModify?: boolean } = {},
): Promise<Visitor> {
  const { server } = fixture;
  const perm = permissionsWhere((name) => name === "download" || (mayModify && name === "modify"));
  await addUser(server, username, { perm, scope: "/" });
  const visitor = await comeAsGuest(fixture, options);
  await signIn(visitor.page, { ...server, username, password: theirPassword }, address);
  return visitor;
}
