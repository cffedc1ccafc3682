import { DomainError } from "../../shared/errors.ts";
import { type HookEvent, hookEvents } from "../../shared/schemas/choices/choices.ts";
import { refuseUnreadableLines } from "../features/commands/command_line.ts";
import { saveSettings } from "./activities.ts";
import { type Call, type Command, numberAt, wordAt } from "./command.ts";

/** The commands that manage hooks. */
export const hookCommands: Command[] = [
  {
    name: "cmds add",
    store: "made",
    words: "<event> <command>",
    about: "run a command line on an event, such as after_upload",
    async run(call) {
      const event = eventAt(call);
      const line = call.words.slice(1).join(" ");
      if (line === "") {
        throw new DomainError(
          "invalid_option",
          "Cannot run the command: the command line is missing",
        );
      }
      await change(call, event, (lines) => [...lines, line]);
    },
  },
  {
    name: "cmds ls",
    words: "",
    about: "list the command lines by event, with their numbers",
    flags: [{ name: "event", short: "e", value: "EVENT" }],
    async run(call) {
      const { commands } = await call.records.settings.get();
      const only = call.flags.get("event");
      const events = only === undefined ? hookEvents : [knownEvent(only)];
      for (const event of events) printLines(call, event, commands[event]);
    },
  },
  {
    name: "cmds rm",
    words: "<event> <number> [<last number>]",
    about: "remove a command line, or several in a row",
    async run(call) {
      const event = eventAt(call);
      const first = numberAt(call, 1, "number");
      const last = call.words.length > 2 ? numberAt(call, 2, "last number") : first;
      await change(call, event, (lines) => {
        if (first <= last && last < lines.length) {
          return lines.filter((_, index) => index < first || index > last);
        }
        throw new DomainError("not_found", `Cannot remove the command ${last}: no such number`);
      });
    },
  },
];

async function change(
  call: Call,
  event: HookEvent,
  edit: (lines: string[]) => string[],
): Promise<void> {
  const { records } = call;
  const all = await records.settings.get();
  const lines = edit(all.commands[event]);
  const next = { ...all, commands: { ...all.commands, [event]: lines } };
  refuseUnreadableLines(next, all);
  await saveSettings(records, next);
  printLines(call, event, lines);
}

function eventAt(call: Call): HookEvent {
  return knownEvent(wordAt(call, 0, "event"));
}

function knownEvent(word: string): HookEvent {
  const event = hookEvents.find((each) => each === word);
  if (event) return event;
  const known = hookEvents.join(", ");
  throw new DomainError("invalid_option", `Cannot use the event "${word}": known are ${known}`);
}

function printLines({ print }: Call, event: HookEvent, lines: readonly string[]): void {
  print(`${event}:`);
  for (const [index, line] of lines.entries()) print(`  (${index}) ${line}`);
}
