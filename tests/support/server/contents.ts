import assert from "node:assert/strict";
import type { SearchResult } from "../../../lib/shared/schemas/entry.ts";
import type { ContentIndexState } from "../../../lib/shared/schemas/contents.ts";
import { delay } from "../../../lib/shared/delay.ts";
import type { TestApp } from "./app.ts";

/** How long the index may take for what a test waits for, in milliseconds. */
const timeoutMs = 60_000;

/** Content search of an application, for tests. */
export interface TestContents {
  /** Switches it on and waits for the first walk. */
  switchOn(settings?: object): Promise<void>;
  /** Asks as the user of the token. @param query `/docs/?query=content:word` */
  ask(query: string): Promise<Response>;
  results(query: string): Promise<SearchResult[]>;
  /** The paths of the results, sorted. */
  paths(query: string): Promise<string[]>;
  state(): Promise<ContentIndexState>;
  /** Waits until a check holds. */
  until(check: () => Promise<boolean>, what: string): Promise<void>;
  /** Waits until a query has these results. */
  finds(query: string, paths: string[]): Promise<void>;
}

/**
 * Content search of an application.
 *
 * @param admin a token of an administrator
 * @param token of the user who asks; the administrator unless given
 */
export function contentsOf(
  app: Pick<TestApp, "call">,
  admin: string,
  token = admin,
): TestContents {
  const ask = (query: string) => app.call("GET", `/api/search${query}`, { token });
  const state = async () => await (await app.call("GET", "/api/contents", { token: admin })).json();
  const until = async (check: () => Promise<boolean>, what: string) => {
    const end = performance.now() + timeoutMs;
    while (!await check()) {
      if (performance.now() > end) assert.fail(`In vain: ${what}`);
      await delay(50);
    }
  };
  const results = async (query: string) => {
    const answer = await ask(query);
    assert.equal(answer.status, 200, await answer.clone().text());
    return await answer.json() as SearchResult[];
  };
  const paths = async (query: string) => (await results(query)).map(({ path }) => path).sort();
  return {
    async switchOn(settings = {}) {
      const json = { contents: { enabled: true, ...settings } };
      assert.equal((await app.call("PUT", "/api/settings", { token: admin, json })).status, 200);
      await until(async () => (await state()).state === "ready", "the first walk ends");
    },
    ...{ ask, state, until, results, paths },
    async finds(query, wanted) {
      let found: string[] = [];
      await until(async () => {
        found = await paths(query);
        return JSON.stringify(found) === JSON.stringify(wanted);
      }, `${query} finds ${wanted}`);
    },
  };
}
