/** The kinds of new documents. */
export const documentKinds = ["document", "sheet", "slides"] as const;

/** One of {@linkcode documentKinds}. */
export type DocumentKind = typeof documentKinds[number];

/** The formats of new documents: Office Open XML (ISO 29500) and OpenDocument (ISO 26300). */
export const documentFormats = ["ooxml", "odf"] as const;

/** One of {@linkcode documentFormats}. */
export type DocumentFormat = typeof documentFormats[number];

const extensions = {
  ooxml: { document: "docx", sheet: "xlsx", slides: "pptx" },
  odf: { document: "odt", sheet: "ods", slides: "odp" },
} as const;

/** The extension of a new document, without its dot. */
export function documentExtension(kind: DocumentKind, format: DocumentFormat): string {
  return extensions[format][kind];
}

/** What is typed as the name of a new document, without the extension that it gets by itself. */
export function documentStem(typed: string, kind: DocumentKind, format: DocumentFormat): string {
  const extension = `.${documentExtension(kind, format)}`;
  const name = typed.trim();
  const isWhole = name.toLowerCase().endsWith(extension);
  return isWhole ? name.slice(0, -extension.length).trimEnd() : name;
}
