import { type ComponentType, useEffect } from "react";
import { LoadFailed } from "../../../../components/StatusScreen.tsx";
import type { Resource } from "../../../shared/api_types.ts";
import type { Clock } from "../../../shared/clock.ts";
import { isArchiveName, isTableName } from "../../../shared/file_kinds.ts";
import { type Lazy, lazy } from "../../base/core/lazy.ts";
import { FileSkeleton } from "../../files_page/listing/Skeletons.tsx";
import type { PreviewSource } from "./preview_source.ts";

/** The props of every reader. */
export interface ReaderProps {
  entry: Resource;
  source: PreviewSource;
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

type ReaderModule = { Reader: ComponentType<ReaderProps> };

const archives = lazy(() => import("./archive/ArchiveView.tsx"));
const books = lazy(() => import("./documents/BookView.tsx"));
const office = lazy(() => import("./documents/OfficeView.tsx"));
const tables = lazy(() => import("./table/LargeTableView.tsx"));

/** The code that shows a file of a kind, which is loaded with the first of them; null for others. */
export function readerOf({ name }: Pick<Resource, "name">): Lazy<ReaderModule> | null {
  if (isArchiveName(name)) return archives;
  if (isTableName(name)) return tables;
  if (/\.epub$/i.test(name)) return books;
  if (/\.(docx|xlsx)$/i.test(name)) return office;
  return null;
}

/** Shows a file by the code for its kind. */
export function LateReader({ code, ...props }: ReaderProps & { code: Lazy<ReaderModule> }) {
  useEffect(() => void code.load(), [code]);
  const state = code.state.value;
  if (state.is === "failed") return <LoadFailed onRetry={() => void code.load()} />;
  return state.is === "ready" ? <state.value.Reader {...props} /> : <FileSkeleton isText />;
}
