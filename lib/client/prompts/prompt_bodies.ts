import type { ComponentType } from "react";
import type { PromptKind, PromptKinds } from "./prompts.ts";
import { DeletePrompt } from "../actions/DeletePrompt.tsx";
import { DiscardPrompt } from "./DiscardPrompt.tsx";
import { DestinationPrompt } from "../actions/DestinationPrompt.tsx";
import { DownloadPrompt } from "../actions/DownloadPrompt.tsx";
import { HelpPrompt } from "./HelpPrompt.tsx";
import { InfoPrompt } from "../info/InfoPrompt.tsx";
import { NewFilePrompt, NewFolderPrompt, RenamePrompt, SaveAsPrompt } from "./NamePrompt.tsx";
import { PasswordPrompt } from "./PasswordPrompt.tsx";
import { ReplacePrompt } from "../actions/ReplacePrompt.tsx";
import { SharePrompt } from "../sharing/SharePrompt.tsx";
import { SurePrompt } from "./SurePrompt.tsx";

/** What every prompt is given: the question, and the two ways to end it. */
export interface PromptBodyProps<K extends PromptKind> {
  asks: PromptKinds[K]["asks"];
  onAnswer: (answer: PromptKinds[K]["answers"]) => void;
  /** Ends it without an answer. */
  onClose: () => void;
}

type PromptBodies = { [K in PromptKind]: ComponentType<PromptBodyProps<K>> };

/**
 * What shows each kind of question; the kinds are named in `PromptKinds`. All come with the first
 * question that is put; what is heavy in one of them is loaded by itself when it opens.
 */
export const promptBodies: PromptBodies = {
  delete: DeletePrompt,
  discard: DiscardPrompt,
  destination: DestinationPrompt,
  download: DownloadPrompt,
  help: HelpPrompt,
  info: InfoPrompt,
  newDir: NewFolderPrompt,
  newFile: NewFilePrompt,
  password: PasswordPrompt,
  rename: RenamePrompt,
  replace: ReplacePrompt,
  saveAs: SaveAsPrompt,
  share: SharePrompt,
  sure: SurePrompt,
};
