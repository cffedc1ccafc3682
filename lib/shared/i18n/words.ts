/** Every text of the interface, by area; `locales/en.json` is the model for all languages. */
export type Words = typeof import("../../../locales/en.json", { with: { type: "json" }});

/** The key of a text, such as "files.column.name"; of one with plural forms without the form. */
export type TextKey = KeysOf<Words>;

type KeysOf<T, Prefix extends string = ""> = {
  [Key in keyof T & string]: T[Key] extends string ? `${Prefix}${Singular<Key>}`
    : KeysOf<T[Key], `${Prefix}${Key}.`>;
}[keyof T & string];

type Singular<Key extends string> = Key extends
  `${infer Base}_${"zero" | "one" | "two" | "few" | "many" | "other"}` ? Base : Key;
