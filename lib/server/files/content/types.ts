import type { EntryType } from "../../../shared/api_types.ts";
import {
  type FileType,
  mediaTypes,
  textExtensions,
  textNames,
  typeExceptions,
} from "./type_table.ts";
import { typeOfBytes } from "./sniff.ts";

/** The largest file handled as text, in bytes; a larger one is a blob. */
export const maxTextBytes = 10 * 1024 * 1024;

/** The extension with its dot in lower case: ".jpg"; "" for "README" and ".bashrc". */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 || dot === name.length - 1 ? "" : name.slice(dot).toLowerCase();
}

/** The type by name; undefined when the name does not determine it. */
export function typeOfName(name: string): FileType | undefined {
  const extension = extensionOf(name).slice(1);
  if (extension === "") return textNames.has(name.toLowerCase()) ? "text" : undefined;
  const exception = typeExceptions.get(extension);
  if (exception) return exception;
  const [kind] = (mediaTypes.get(extension) ?? "").split("/");
  if (kind === "image" || kind === "audio" || kind === "video") return kind;
  if (textExtensions.has(extension) || textNames.has(name.toLowerCase())) return "text";
  return kind === "" ? undefined : "blob";
}

/**
 * The type of a regular file: by name, else by its first bytes if given.
 *
 * @param firstBytes the first 512, for a single file whose name does not determine the type
 */
export function typeOf(name: string, size: number, firstBytes?: Uint8Array): FileType {
  const type = firstBytes && isAmbiguous(name)
    ? typeOfBytes(firstBytes)
    : typeOfName(name) ?? (firstBytes ? typeOfBytes(firstBytes) : "blob");
  return type === "text" && size > maxTextBytes ? "blob" : type;
}

/** Whether the content must decide: an unknown name, or ".ts", a program or a video. */
export function isAmbiguous(name: string): boolean {
  return extensionOf(name) === ".ts" || typeOfName(name) === undefined;
}

/** Text that the viewer may not modify is shown without an editor. */
export function forViewer(type: FileType, canModify: boolean): EntryType {
  return type === "text" && !canModify ? "textImmutable" : type;
}

/** The media type for a download: by extension; text is UTF-8. */
export function mediaTypeOf(name: string): string {
  const known = mediaTypes.get(extensionOf(name).slice(1));
  if (typeOfName(name) !== "text") return known ?? "application/octet-stream";
  return `${known ?? "text/plain"}; charset=utf-8`;
}
