import { hasEnded, toApiTokenInfo } from "../features/accounts/auth/api_token.ts";
import { ApiTokens } from "../features/accounts/auth/api_tokens.ts";
import { LoginThrottle } from "../features/accounts/auth/login_throttle.ts";
import { type Call, type Command, wordAt } from "./command.ts";
import { tableLines } from "./texts.ts";
import { findUser } from "./user_commands.ts";

/** The commands about API tokens. */
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
        : [await users.acting((await findUser(users, word)).id)];
      const head = ["id", "user", "name", "may", "folder", "ends", "last used"];
      const rows: string[][] = [];
      for (const owner of owners) {
        for (const token of await tokensOf(call).list(owner.id)) {
          const { id, name, folder, bound, expires, lastUsed } = toApiTokenInfo(token, owner);
          rows.push([
            id,
            owner.username,
            name,
            ["read", ...token.write ? ["write"] : [], ...token.share ? ["share"] : []].join(","),
            folder ?? (bound ? "out of scope" : "/"),
            hasEnded(token, Date.now()) ? "over" : expires ?? "never",
            lastUsed ?? "never",
          ]);
        }
      }
      for (const line of tableLines(head, rows)) call.print(line);
    },
  },
  {
    name: "tokens rm",
    words: "<id>",
    about: "revoke an API token",
    async run(call) {
      const tokens = tokensOf(call);
      const token = await tokens.get(wordAt(call, 0, "id"));
      await tokens.remove(token);
      await call.records.note("token_remove", { subject: token.name });
      call.print(`Revoked the API token "${token.name}"`);
    },
  },
];

function tokensOf({ records: { store } }: Call): ApiTokens {
  return new ApiTokens(store, new LoginThrottle(store));
}
