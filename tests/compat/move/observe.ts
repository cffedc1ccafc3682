/** Looks at a server that serves the rich installation: at File Browser's, or at Cubby's. */
import assert from "node:assert/strict";
import { admin, looks, type Recorded, type Seen, shares, users } from "./installation.ts";

/** What is seen of an installation. */
export type Observed = Pick<Recorded, "users" | "settings" | "seen" | "links">;

/** @param url with the base URL */
export async function observe(
  url: string,
  links: { hashes: Recorded["hashes"]; tokens: Recorded["tokens"] },
): Promise<Observed> {
  const token = await signIn(url, admin.username, admin.password);
  const headers = { "x-auth": token };
  const read = async (path: string) =>
    await (await fetch(`${url}/api/${path}`, { headers })).json();
  const seen: Recorded["seen"] = {};
  const queue = [admin, ...users].values();
  const lookOn = async () => {
    for (const { username, password = "" } of queue) {
      seen[username] = await lookAs(url, username, password);
    }
  };
  await Promise.all(Array.from({ length: 4 }, lookOn));
  return {
    users: await read("users"),
    settings: await read("settings"),
    seen,
    links: await openLinks(url, links),
  };
}

/** @returns a token for `X-Auth`; "" where the sign-in is refused */
export async function signIn(url: string, username: string, password: string): Promise<string> {
  const body = JSON.stringify({ username, password, recaptcha: "" });
  const answer = await fetch(`${url}/api/login`, { method: "POST", body });
  const text = await answer.text();
  return answer.ok ? text.trim() : "";
}

/** What a user sees; nothing when the user cannot sign in. */
async function lookAs(url: string, username: string, password: string): Promise<Seen[]> {
  const token = await signIn(url, username, password);
  if (token === "") return [];
  const asked = looks.map((path) => fetch(`${url}/api/${path}`, { headers: { "x-auth": token } }));
  return await Promise.all((await Promise.all(asked)).map(seenIn));
}

async function openLinks(
  url: string,
  { hashes, tokens }: Pick<Recorded, "hashes" | "tokens">,
): Promise<Recorded["links"]> {
  const calls = shares.flatMap(({ name, password, paths }): [string, string][] => {
    const hash = hashes[name];
    const addresses = [`share/${hash}`, ...paths.map((path) => `dl/${hash}${path}`)];
    const asked = password === undefined ? [""] : ["", "wrong", password];
    return [
      ...asked.flatMap((each) => addresses.map((address): [string, string] => [address, each])),
      ...addresses.filter(() => password !== undefined)
        .map((address): [string, string] => [`${address}?token=${tokens[name]}`, ""]),
    ];
  });
  const links: Recorded["links"] = [];
  for (const [address, password] of calls) {
    const headers: HeadersInit = password && { "x-share-password": encodeURIComponent(password) } ||
      {};
    const answer = await fetch(`${url}/api/public/${address}`, { headers });
    links.push([address, password, await seenIn(answer)]);
  }
  return links;
}

async function seenIn(answer: Response): Promise<Seen> {
  const text = await answer.text();
  // File Browser's answer to a missing permission to download.
  if (answer.status === 202) return [403];
  if (!answer.ok) return [answer.status];
  const isText = !/^application\/json/.test(answer.headers.get("content-type") ?? "");
  if (isText) return [answer.status, text];
  const { name, items } = JSON.parse(text);
  return [
    answer.status,
    items ? items.map((each: { name: string }) => each.name).sort() : `${name}`,
  ];
}

/** Adds what a server tells of a share with a password to those who give it. */
export async function tokenOfShare(url: string, hash: string, password: string): Promise<string> {
  const headers = { "x-share-password": encodeURIComponent(password) };
  const answer = await fetch(`${url}/api/public/share/${hash}`, { headers });
  const { token } = await answer.json();
  assert.ok(token, `no token of ${hash}`);
  return token;
}
