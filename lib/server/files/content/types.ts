import type { EntryType } from "../../../shared/api_types.ts";
import {
  type FileType,
  mediaTypes,
  textExtensions,
  textNames,
  typeExceptions,
} from "./type_table.ts";
import { typeOfBytes } from "./sniff.ts";

/** The largest text that is handed out as text, in bytes; above it is a blob. */
export const largestText = 10 * 1024 * 1024;

/** The extension with its dot in lower case: ".jpg"; "" for "README" and ".bashrc". */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 || dot === name.length - 1 ? "" : name.slice(dot).toLowerCase();
}

/** The type that a name tells of; undefined when it tells nothing. */
export function typeOfName(name: string): FileType | undefined {
  const extension = extensionOf(name).slice(1);
  if (extension === "") return textNames.has(name.toLowerCase()) ? "text" : undefined;
  const exception = typeExceptions[extension];
  if (exception) return exception;
  const [kind] = (mediaTypes[extension] ?? "").split("/");
  if (kind === "image" || kind === "audio" || kind === "video") return kind;
  if (textExtensions.has(extension) || textNames.has(name.toLowerCase())) return "text";
  return kind === "" ? undefined : "blob";
}

/**
 * The type of a regular file: by its name, or else by its first bytes if they are given.
 *
 * @param firstBytes the first 512, for a single file whose name tells nothing
 */
export function typeOf(name: string, size: number, firstBytes?: Uint8Array): FileType {
  const type = firstBytes && isAmbiguous(name)
    ? typeOfBytes(firstBytes)
    : typeOfName(name) ?? (firstBytes ? typeOfBytes(firstBytes) : "blob");
  return type === "text" && size > largestText ? "blob" : type;
}

/** Whether only the content tells: an unknown name, or ".ts", which is a program or a film. */
export function isAmbiguous(name: string): boolean {
  return extensionOf(name) === ".ts" || typeOfName(name) === undefined;
}

/** Text that the viewer may not change is shown without an editor. */
export function forViewer(type: FileType, canModify: boolean): EntryType {
  return type === "text" && !canModify ? "textImmutable" : type;
}

/** The media type for a download: by extension; text is UTF-8. */
export function mediaTypeOf(name: string): string {
  const known = mediaTypes[extensionOf(name).slice(1)];
  if (typeOfName(name) !== "text") return known ?? "application/octet-stream";
  return `${known ?? "text/plain"}; charset=utf-8`;
}
