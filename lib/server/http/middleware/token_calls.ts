import type { ApiToken } from "../../auth/api_token.ts";
import { DomainError } from "../../../shared/errors.ts";

/**
 * The right that an API token needs for a call: nothing besides, to read; the right to change
 * files; that to share. `whole`: one that is bound to a folder is refused, since the call is about
 * all that is the user's.
 */
export interface TokenNeed {
  right: "read" | "write" | "share";
  whole?: true;
}

const read: TokenNeed = { right: "read" };
const write: TokenNeed = { right: "write" };
const share: TokenNeed = { right: "share" };
const readAll: TokenNeed = { right: "read", whole: true };
const writeAll: TokenNeed = { right: "write", whole: true };

/**
 * The calls that an API token may make, by method and the first words of the address below `/api/`.
 * Any other is refused: what is not listed has to be thought of first. Which files a call may touch
 * is not decided here but by the gate, on the token's permissions and folder.
 */
const needs: readonly (readonly [methods: string, call: RegExp, need: TokenNeed])[] = [
  [
    "GET",
    /^(?:resources|raw|preview|subtitle|media|archive|search|size|usage|watch)(?:\/|$)/,
    read,
  ],
  ["POST", /^(?:raw|size)(?:\/|$)/, read],
  ["POST", /^thumbhashes$/, read],
  ["POST PUT PATCH DELETE", /^resources(?:\/|$)/, write],
  ["GET POST PATCH DELETE", /^tus(?:\/|$)/, write],
  ["GET", /^jobs(?:\/[^/]+)?$/, read],
  ["POST", /^jobs$/, write],
  ["PATCH", /^jobs\/[^/]+$/, write],
  ["POST", /^jobs\/[^/]+\/undo$/, write],
  ["GET", /^(?:favorites|recent)$/, read],
  ["PUT DELETE", /^favorites\/./, writeAll],
  ["PUT", /^recent\/./, writeAll],
  ["DELETE", /^recent$/, writeAll],
  ["PUT DELETE", /^views(?:\/|$)/, writeAll],
  ["GET", /^trash(?:\/(?!usage$)[^/]+)?$/, readAll],
  ["DELETE", /^trash(?:\/(?!usage$)[^/]+)?$/, writeAll],
  ["POST", /^trash\/(?!usage$)[^/]+$/, writeAll],
  ["GET", /^notifications$/, readAll],
  ["GET", /^shares$/, share],
  ["GET POST PATCH DELETE", /^share(?:\/|$)/, share],
];

/** The need of a call; undefined for one that no API token may make. */
export function tokenNeedOf(method: string, call: string): TokenNeed | undefined {
  const asked = method === "HEAD" ? "GET" : method;
  return needs.find(([methods, pattern]) =>
    methods.split(" ").includes(asked) && pattern.test(call)
  )?.[2];
}

/**
 * Refuses a call that an API token may not make.
 *
 * @param call the address below `/api/`: `resources/a.txt`
 * @throws DomainError `forbidden`
 */
export function checkTokenCall(token: ApiToken, method: string, call: string): void {
  const need = tokenNeedOf(method, call);
  if (!need) throw refusal("this takes a session: sign in");
  if (need.right === "write" && !token.write) throw refusal("the API token may only read");
  if (need.right === "share" && !token.share) throw refusal("the API token may not share");
  if (need.whole && token.place !== null) throw refusal("the API token is bound to a folder");
}

function refusal(reason: string): DomainError {
  return new DomainError("forbidden", `Cannot answer the request: ${reason}`);
}
