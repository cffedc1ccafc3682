import type { ApiTokenInfo, NewApiToken } from "../../shared/schemas/api_token.ts";
import { type ApiToken, toApiTokenInfo } from "../features/accounts/auth/api_token.ts";
import type { User } from "../features/accounts/users/user.ts";
import { apiCommand, type Columns, type Item, printTable } from "./api_commands.ts";
import type { Command } from "./command.ts";
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

/** The commands about API tokens; all are listed by few reads, not by a call for each user. */
export const tokenCommands: Command[] = [
  {
    name: "tokens ls",
    words: "[<id|name>]",
    about: "list the API tokens of a user, or of all",
    async run(call) {
      const { apiTokens, users } = await call.records.open();
      const [word] = call.words;
      const items: Item[] = [];
      const add = (owner: User, tokens: readonly ApiToken[] = []) => {
        const user = owner.username;
        items.push(...tokens.map((token) => ({ ...toApiTokenInfo(token, owner), user })));
      };
      if (word === undefined) {
        const tokens = await apiTokens.byUser();
        for await (const owners of users.actingParts()) {
          for (const owner of owners) add(owner, tokens.get(owner.id));
        }
      } else {
        const { id } = await findUser(users, word);
        add(await users.acting(id), await apiTokens.list(id));
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

function tokenIn(item: Item): NamedToken {
  return item as unknown as NamedToken;
}
