import type { ComponentType } from "react";
import type { PromptBodyProps, PromptKind } from "../../base/prompts/prompts.ts";
import {
  ConfirmPrompt,
  DeletePrompt,
  DiscardPrompt,
  PasswordPrompt,
} from "../../base/prompts/ConfirmPrompts.tsx";
import { CompressPrompt } from "../actions/CompressPrompt.tsx";
import { DestinationPrompt } from "../actions/destination/DestinationPrompt.tsx";
import { DownloadPrompt } from "../actions/DownloadPrompt.tsx";
import { HelpPrompt } from "../../base/prompts/HelpPrompt.tsx";
import { HistoryPrompt } from "../actions/HistoryPrompt.tsx";
import { InfoPrompt } from "../info/EntryDetails.tsx";
import {
  NewFilePrompt,
  NewFolderPrompt,
  RelabelPrompt,
  RenamePrompt,
  SaveAsPrompt,
  VisitorNamePrompt,
} from "../../base/prompts/NamePrompt.tsx";
import { ReauthenticationPrompt } from "../../base/prompts/ReauthenticationPrompt.tsx";
import { NewDocumentPrompt } from "../actions/NewDocumentPrompt.tsx";
import { RenameManyPrompt } from "../actions/RenameManyPrompt.tsx";
import { ReplacePrompt } from "../actions/ReplacePrompt.tsx";
import { RequestEditPrompt } from "../sharing/RequestEditPrompt.tsx";
import { RequestPrompt } from "../sharing/RequestPrompt.tsx";
import { ShareEditPrompt } from "../sharing/ShareEditPrompt.tsx";
import { SharePrompt } from "../sharing/SharePrompt.tsx";

type PromptBodies = { [K in PromptKind]: ComponentType<PromptBodyProps<K>> };

/**
 * The component of each kind of prompt, see `PromptKinds`. All are loaded with the first prompt.
 */
export const promptBodies: PromptBodies = {
  delete: DeletePrompt,
  discard: DiscardPrompt,
  compress: CompressPrompt,
  destination: DestinationPrompt,
  download: DownloadPrompt,
  help: HelpPrompt,
  history: HistoryPrompt,
  info: InfoPrompt,
  newDir: NewFolderPrompt,
  newFile: NewFilePrompt,
  newDocument: NewDocumentPrompt,
  password: PasswordPrompt,
  reauthentication: ReauthenticationPrompt,
  relabel: RelabelPrompt,
  rename: RenamePrompt,
  renameMany: RenameManyPrompt,
  replace: ReplacePrompt,
  request: RequestPrompt,
  requestEdit: RequestEditPrompt,
  saveAs: SaveAsPrompt,
  share: SharePrompt,
  shareEdit: ShareEditPrompt,
  visitorName: VisitorNamePrompt,
  confirm: ConfirmPrompt,
};
