import { commandNames } from "./app_folder.ts";
import { ldapOptions } from "./ldap_options.ts";
import { mailOptions } from "./mail_options.ts";
import { officeOptions } from "./office_options.ts";
import { oidcOptions } from "./oidc_options.ts";
import type { Flag, GivenValue, Option, OptionTable } from "./option.ts";
import {
  accountOptions,
  featureOptions,
  foreignOptions,
  listenOptions,
  logOptions,
  proxyOptions,
  textOptions,
} from "./server_options.ts";
import { authOptions, recaptchaOptions } from "./sign_in_options.ts";
import { webhookOptions } from "./webhook_options.ts";

/** A part of the options. */
interface OptionGroup {
  /** Its heading in the reference. */
  title: string;
  options: OptionTable;
  /** They are valid only together. */
  areTogether?: true;
}

/** Every option, in the order of the help. Names and letters are File Browser's where it has one. */
export const optionGroups = [
  { title: "Address, folders and store", options: listenOptions },
  { title: "First administrator and sessions", options: accountOptions },
  { title: "Sign-in", options: authOptions },
  { title: "Reverse proxy", options: proxyOptions },
  { title: "reCAPTCHA", options: recaptchaOptions, areTogether: true },
  { title: "OpenID Connect", options: oidcOptions, areTogether: true },
  { title: "LDAP", options: ldapOptions, areTogether: true },
  { title: "Webhooks", options: webhookOptions },
  { title: "Mail", options: mailOptions, areTogether: true },
  { title: "Office", options: officeOptions, areTogether: true },
  { title: "Features", options: featureOptions },
  { title: "Log and metrics", options: logOptions },
  { title: "File Browser's own", options: foreignOptions },
  { title: "Help", options: textOptions },
] as const satisfies readonly OptionGroup[];

type NameIn<Options> = Options extends OptionTable ? keyof Options & string : never;

/** The name of an option. */
export type OptionName = NameIn<typeof optionGroups[number]["options"]>;

/** An option with its name. */
export interface StartOption extends Option, Flag {
  name: OptionName;
}

/** Every option, in the order of the help. */
export const startOptions: readonly StartOption[] = optionGroups.flatMap(({ options }) =>
  Object.entries<Option>(options).map(([name, option]) => ({ name: name as OptionName, ...option }))
);

/** The options that the store may keep. */
export const storedOptions = startOptions.filter(({ stored }) => stored);

/** The names of options that are valid only together. */
export const together: readonly (readonly string[])[] = [
  ["cert", "key"],
  ...optionGroups.filter((group) => "areTogether" in group)
    .map(({ options }) => Object.keys(options)),
];

/** The values from one source. */
export type GivenValues = Map<OptionName, GivenValue>;

/** The values from the store. Names unknown to this version are ignored. */
export function givenFrom(kept: Readonly<Record<string, string>>): GivenValues {
  return new Map(
    storedOptions.filter(({ name }) => kept[name] !== undefined).map(({ name }) => [name, {
      text: kept[name] ?? "",
      source: `the stored "${name}"`,
      hint: `"${commandNames.cubby} config set --${name}" changes what is stored`,
    }]),
  );
}

const byPlainName = new Map<string, StartOption>(
  startOptions.flatMap((option) =>
    [option.name, ...option.aliases ?? []].map((name) => [plainName(name), option] as const)
  ),
);

/**
 * Finds an option by any spelling of its name: `cache-dir`, `cacheDir`, `CACHE_DIR`, `auth.method`,
 * `auth.recaptcha.key`.
 */
export function findOption(name: string): StartOption | undefined {
  return byPlainName.get(plainName(name));
}

/** Normalises the spelling of an option's name. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]/g, "");
}

/** The variables of an option, the first preferred: `FB_CACHE_DIR` and `FB_CACHEDIR`. */
export function variablesOf({ name, aliases = [] }: StartOption): string[] {
  const words = name.toUpperCase().split("-");
  const spellings = new Set([words.join("_"), words.join(""), ...aliases]);
  return [...spellings].map((spelling) => `FB_${spelling}`);
}

/** The default of an option, for people; undefined without one. */
export function defaultText({ default: usual, otherwise }: Option): string | undefined {
  return otherwise ?? (usual || undefined);
}
