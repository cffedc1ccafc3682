import type { ApiTokenInfo, NewApiToken } from "../../shared/schemas/api_token.ts";
import { apiCommand, type Columns, type Item, jsonAnswerTo, printTable } from "./api_commands.ts";
import type { Call, Command } from "./command.ts";
import { findUser } from "./user_commands.ts";

/** A token with the name of its user. */
type NamedToken = ApiTokenInfo & { user: string };

const columns: Columns = {
  ...{ id: "id", user: "user", name: "name" },
  may: (item) => {
    const { write, share } = tokenIn(item);
    return ["read", ...write ? ["write"] : [], ...share ? ["share"] : []];
  },
  folder: (item) => tokenIn(item).folder ?? (tokenIn(item).bound ? "out of scope" : "/"),
  ends: (item) => {
    const { expires } = tokenIn(item);
    if (expires === null) return "never";
    return Date.parse(expires) <= Date.now() ? "over" : expires;
  },
  "last used": (item) => tokenIn(item).lastUsed ?? "never",
};

/** The commands about API tokens: calls of the API. */
export const tokenCommands: Command[] = [
  {
    name: "tokens ls",
    words: "[<id|name>]",
    about: "list the API tokens of a user, or of all",
    async run(call) {
      const { users } = call.records;
      const [word] = call.words;
      const owners = word === undefined
        ? (await Array.fromAsync(users.actingParts())).flat()
        : [await findUser(users, word)];
      const items: Item[] = [];
      for (const { id, username } of owners) {
        items.push(...(await tokensOf(call, id)).map((token) => ({ ...token, user: username })));
      }
      printTable(call, columns, items);
    },
  },
  apiCommand({
    name: "tokens add",
    about: "create an API token of a user, and print it",
    ...{ route: "tokens/index", method: "POST", words: ["name"], as: "required" },
    isAboutFiles: true,
    async show(name, answer) {
      const { id, token }: NewApiToken = await answer.json();
      return [`Created the API token "${name}": ${id}`, `The token, shown only once: ${token}`];
    },
  }),
  apiCommand({
    name: "tokens rm",
    about: "revoke an API token",
    ...{ route: "tokens/[id]", method: "DELETE", words: ["id"] },
    show: (id) => `Revoked the API token "${id}"`,
  }),
];

async function tokensOf(call: Call, user: number): Promise<ApiTokenInfo[]> {
  const query = { user: String(user) };
  const list = { route: "tokens/index", method: "GET", query } as const;
  return await jsonAnswerTo(call, list) as ApiTokenInfo[];
}

function tokenIn(item: Item): NamedToken {
  return item as unknown as NamedToken;
}
