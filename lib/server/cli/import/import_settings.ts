import { isRecord } from "../../../shared/schemas/read.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import { refuseUnreadableLines } from "../../features/commands/command_line.ts";
import { readSettings } from "../../features/settings/settings.ts";
import { translateConfig } from "./foreign.ts";
import { readableRules, reasonOf } from "./import_users.ts";

/** The settings of File Browser as they are imported. */
interface ForeignSettings {
  settings: Settings;
  /** The members that were read. */
  names: string[];
  /** What differs from the record, a line each. */
  notes: string[];
}

/** Groups of settings, whose members are imported one by one. */
const groups = new Set(["branding", "tus", "defaults", "commands"]);

/**
 * Reads settings of File Browser. A value that cannot be read is replaced by the default. Where that
 * could let somebody in, the stricter value is taken: a rule that denies by an unreadable expression
 * denies everything, and nobody signs up while the rights of new users are unreadable.
 *
 * @param record with the member `settings`, as of `config export`
 */
export function readForeignSettings(
  record: { settings: Record<string, unknown> },
  current: Settings,
): ForeignSettings {
  const { data, omitted } = translateConfig(record);
  const notes: string[] = [];
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data)) {
    if (name === "rules") kept.rules = readRules(value, notes);
    else if (!groups.has(name) || !isRecord(value)) take(kept, name, value, (each) => each);
    else {
      const members: Record<string, unknown> = {};
      for (const [member, given] of Object.entries(value)) {
        const inner = name === "commands" ? readableLines(member, given) : given;
        take(members, member, inner, (each) => ({ [name]: each }), `${name}.`);
      }
      kept[name] = members;
    }
  }
  const settings = readSettings(kept, current);
  const { minimumPasswordLength: given } = data;
  const { minimumPasswordLength: least } = settings;
  if (typeof given === "number" && given > 0 && given < least) {
    notes.push(
      `minimumPasswordLength is ${least}, not ${given}: shorter existing passwords keep working`,
    );
  }
  notes.push(...omitted.map((each) => `left out: ${each}`));
  return { settings, names: Object.keys(data), notes };

  /** Takes a value if it can be read. */
  function take(
    into: Record<string, unknown>,
    name: string,
    value: unknown,
    within: (members: Record<string, unknown>) => Record<string, unknown>,
    before = "",
  ): void {
    const reason = reasonOf(() => readSettings(within({ [name]: value }), current));
    if (reason === null) {
      into[name] = value;
      return;
    }
    notes.push(`${before}${name} is the default: ${reason}`);
    if (before !== "defaults." || !["scope", "perm"].includes(name)) return;
    kept.signup = false;
    notes.push("signup is off until the rights of new users are set again");
  }

  /** The command lines of an event that could be run. */
  function readableLines(event: string, lines: unknown): unknown {
    if (!Array.isArray(lines)) return lines;
    return lines.filter((line) => {
      const reason = reasonOf(() => {
        const changed = { commands: { [event]: [line] }, shell: data.shell };
        refuseUnreadableLines(readSettings(changed, current), current);
      });
      if (reason !== null) notes.push(`left out: ${reason}`);
      return reason === null;
    });
  }

  function readRules(value: unknown, into: string[]): unknown[] {
    const { kept: rules, unused } = readableRules(value);
    into.push(...unused);
    return rules.flatMap((rule) => {
      const reason = reasonOf(() => readSettings({ rules: [rule] }, current));
      if (reason === null) return [rule];
      const isAllowing = isRecord(rule) && rule.allow === true;
      into.push(
        isAllowing
          ? `without a rule that allows: ${reason}`
          : `a rule denies everything until you correct it: ${reason}`,
      );
      return isAllowing ? [] : [{ allow: false, path: "/", regex: false }];
    });
  }
}
