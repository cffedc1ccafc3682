import type { Rule } from "../../shared/schemas/rights.ts";
import { DomainError } from "../../shared/errors.ts";
import { checkRules } from "../../shared/rules/validate.ts";
import { saveSettings } from "./activities.ts";
import { type Call, type Command, numberAt, wordAt } from "./command.ts";
import type { CommandFlag } from "./flags.ts";
import { findGroup, recordGroup } from "./group_commands.ts";
import { findUser } from "./user_commands.ts";

const whose: readonly CommandFlag[] = [
  { name: "id", short: "i", value: "ID" },
  { name: "username", short: "u", value: "NAME" },
  { name: "group", short: "g", value: "GROUP" },
];

/**
 * The commands that manage rules: the global ones, or a user's with `--id` or `--username`, or a
 * group's with `--group`.
 */
export const ruleCommands: Command[] = [
  {
    name: "rules add",
    store: "made",
    words: "<path|expression>",
    about: "add a rule that denies, or allows with --allow; the last match wins",
    flags: [{ name: "allow", short: "a" }, { name: "regex", short: "r" }, ...whose],
    async run(call) {
      const text = wordAt(call, 0, "path");
      const regex = call.flags.get("regex") === "true";
      const rule: Rule = {
        allow: call.flags.get("allow") === "true",
        path: regex ? "" : text,
        regex,
        regexp: { raw: regex ? text : "" },
      };
      await change(call, (rules) => [...rules, rule]);
    },
  },
  {
    name: "rules ls",
    words: "",
    about: "list the rules with their numbers",
    flags: whose,
    run: (call) => change(call, (rules) => rules),
  },
  {
    name: "rules rm",
    words: "<number> [<last number>]",
    about: "remove a rule, or several in a row",
    flags: whose,
    async run(call) {
      const first = numberAt(call, 0, "number");
      const last = call.words.length > 1 ? numberAt(call, 1, "last number") : first;
      await change(call, (rules) => {
        if (first <= last && last < rules.length) {
          return rules.filter((_, index) => index < first || index > last);
        }
        throw new DomainError("not_found", `Cannot remove the rule ${last}: no such number`);
      });
    },
  },
];

async function change(call: Call, edit: (rules: Rule[]) => Rule[]): Promise<void> {
  const { records, flags, print } = call;
  const { settings, users } = records;
  const name = flags.get("group");
  if (name !== undefined) {
    const group = await findGroup(users.groups, name);
    const rules = edit(group.rules);
    checkRules(rules);
    if (rules !== group.rules) {
      await users.groups.update(group.id, { rules });
      await recordGroup(call, group, ["rules"]);
    }
    return printRules(rules, print);
  }
  const word = flags.get("id") ?? flags.get("username");
  if (word === undefined) {
    const all = await settings.get();
    const rules = edit(all.rules);
    checkRules(rules);
    if (rules !== all.rules) await saveSettings(records, { ...all, rules });
    return printRules(rules, print);
  }
  const user = await findUser(users, word);
  const rules = edit(user.rules);
  checkRules(rules);
  if (rules !== user.rules) {
    await users.update(user.id, { rules });
    await records.note("user_change", { subject: `${user.username}: rules` });
  }
  printRules(rules, print);
}

function printRules(rules: readonly Rule[], print: Call["print"]): void {
  if (rules.length === 0) return print("There are no rules");
  for (const [index, { allow, regex, path, regexp }] of rules.entries()) {
    const what = regex ? `expression ${regexp.raw}` : `path ${path}`;
    print(`(${index}) ${allow ? "allow" : "deny"} ${what}`);
  }
}
