import { findOption, type GivenValues, type OptionName, startOptions } from "./options.ts";
import { StartRefusal } from "./refusal.ts";

/**
 * Reads the command line: `--port 80`, `--port=80`, `-p 80`, `-p80`, `-p=80`. A switch stands
 * alone or takes its value after `=` alone. Of several, the last counts.
 *
 * @throws StartRefusal for an unknown flag, a missing value or a stray word
 */
export function readFlags(args: readonly string[]): GivenValues {
  const given: GivenValues = new Map();
  for (let index = 0; index < args.length; index++) {
    const flag = parseFlag(args[index] ?? "");
    if (flag.text === undefined && flag.wantsValue) flag.text = args[++index];
    if (flag.text === undefined && flag.wantsValue) {
      throw new StartRefusal(`Cannot use ${flag.said}: its value is missing`);
    }
    given.set(flag.name, { text: flag.text ?? "true", said: flag.said });
  }
  return given;
}

interface Flag {
  name: OptionName;
  said: string;
  wantsValue: boolean;
  text?: string;
}

function parseFlag(arg: string): Flag {
  const long = /^--([^=]+)(?:=(.*))?$/s.exec(arg);
  const short = /^-([A-Za-z])(?:=(.*)|([^=].*))?$/s.exec(arg);
  if (!long && !short) throw new StartRefusal(`Cannot use "${arg}": it is not a flag`);

  const option = long
    ? findOption(long[1] ?? "")
    : startOptions.find((option) => "short" in option && option.short === short?.[1]);
  const said = long ? `--${long[1]}` : `-${short?.[1]}`;
  if (!option) throw new StartRefusal(`Cannot use ${said}: there is no such flag; see --help`);
  const text = long ? long[2] : short?.[2] ?? short?.[3];
  return { name: option.name, said, wantsValue: "value" in option, text };
}
