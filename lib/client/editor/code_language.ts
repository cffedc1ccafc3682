import type { LanguageSupport } from "@codemirror/language";

/** The language of a text, by the name of its file. */
export interface CodeLanguage {
  /** As people call it: "TypeScript". */
  name: string;
  /** Loads what the editor needs of it. */
  load: () => Promise<LanguageSupport>;
}

/** Finds the language that goes with a file's name; null for plain text. */
export async function languageOf(fileName: string): Promise<CodeLanguage | null> {
  const [{ LanguageDescription }, { languages }] = await Promise.all([
    import("@codemirror/language"),
    import("@codemirror/language-data"),
  ]);
  const found = LanguageDescription.matchFilename(languages, fileName);
  return found && { name: found.name, load: () => found.load() };
}
