import { type ReadonlySignal, signal } from "@preact/signals";

/** The longest message that is read, in characters. */
const MAX_TEXT = 100_000;

/** Most people who are listed, and the longest name of one, in characters. */
const MAX_PEOPLE = 100;
const MAX_NAME = 100;

/** How long a save may take until the editor has reported it, in milliseconds. */
const SAVE_MS = 30_000;

/** Somebody who has the document open. */
export interface Person {
  id: string;
  name: string;
}

/** What the user does in the editor that concerns the page around it. */
export interface BridgeEvents {
  onClose: () => void;
  onShare: () => void;
  onVersions: () => void;
  /** @param name the new name, with or without its extension, as the editor has it */
  onRenamed: (name: string) => void;
  /** The token of the editor ends soon, or was perhaps refused. */
  onTokenNeeded: () => void;
}

/** The part of the browser's window that the bridge uses: `globalThis` in a page. */
export interface BridgeWindow {
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  removeEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

/** The dependencies of a bridge. */
export interface BridgeOptions extends BridgeEvents {
  /** The page's own window. */
  window: BridgeWindow;
  /** The window of the frame; null while it has none. */
  frame: () => Pick<Window, "postMessage"> | null;
  /** The origin of the editor. */
  origin: string;
}

/**
 * The messages between the page and the editor in its frame: the protocol that Collabora Online and
 * ONLYOFFICE Docs share. Messages of other windows and origins are ignored (CWE-346), and so is what
 * a message has that is not expected.
 */
export class OfficeBridge {
  readonly #options: BridgeOptions;
  readonly #stage = signal<"silent" | "speaking" | "loaded">("silent");
  readonly #modified = signal(false);
  readonly #saving = signal(false);
  readonly #people = signal<readonly Person[]>([]);
  #settleSave: ((isSaved: boolean) => void) | null = null;

  /** `silent` before the first message; `loaded` once the document is shown. */
  readonly stage: ReadonlySignal<"silent" | "speaking" | "loaded"> = this.#stage;
  /** The document has changes that are not saved. */
  readonly modified: ReadonlySignal<boolean> = this.#modified;
  /** A save is under way that the page has asked for. */
  readonly saving: ReadonlySignal<boolean> = this.#saving;
  /** Who has the document open; empty where the editor does not tell. */
  readonly people: ReadonlySignal<readonly Person[]> = this.#people;

  /** @param options the frame, and what follows from its messages */
  constructor(options: BridgeOptions) {
    this.#options = options;
    options.window.addEventListener("message", this.#hear);
  }

  /** Ends it. */
  close(): void {
    this.#options.window.removeEventListener("message", this.#hear);
    this.#settleSave?.(false);
  }

  /** Tells the editor that the page listens: some are silent before. */
  greet(): void {
    this.#post("Host_PostmessageReady");
  }

  /** Saves unsaved changes. @returns whether all is saved */
  async save(): Promise<boolean> {
    if (!this.#modified.peek()) return true;
    if (this.#settleSave) return false;
    this.#saving.value = true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#settleSave = resolve;
    const timer = setTimeout(() => resolve(false), SAVE_MS);
    this.#post("Action_Save", {
      DontTerminateEdit: true,
      DontSaveIfUnmodified: true,
      Notify: true,
    });
    const isSaved = await promise;
    clearTimeout(timer);
    this.#settleSave = null;
    this.#saving.value = false;
    return isSaved;
  }

  /** Lets the editor end its session, as the page is left. */
  leave(): void {
    this.#post("Action_Close");
    this.#modified.value = false;
  }

  /** Keeps the editor from taking the focus, while the page asks something over it. */
  hold(isHeld: boolean): void {
    this.#post(isHeld ? "Blur_Focus" : "Grab_Focus");
  }

  /**
   * Hands over a new token, before the last one ends.
   *
   * @param expires its end, in milliseconds since 1970: without it, some tell of no later end
   */
  renew(token: string, expires: number): void {
    this.#post("Reset_Access_Token", { token, ttl: expires });
  }

  #post(MessageId: string, Values: Record<string, string | boolean | number> = {}): void {
    const { frame, origin } = this.#options;
    const message = JSON.stringify({ MessageId, SendTime: Date.now(), Values });
    frame()?.postMessage(message, origin);
  }

  readonly #hear = ({ data, origin, source }: MessageEvent) => {
    if (origin !== this.#options.origin || source === null) return;
    if (source !== this.#options.frame()) return;
    const { MessageId, Values } = readMessage(data);
    if (MessageId === null) return;
    if (this.#stage.peek() === "silent") this.#stage.value = "speaking";
    switch (MessageId) {
      case "App_LoadingStatus":
        return this.#load(Values.Status);
      case "Doc_ModifiedStatus":
        return this.#modify(Values.Modified === true || Values.Modified === "true");
      case "Action_Save_Resp":
        return this.#saved(Values);
      case "View_Added":
      case "View_Removed":
        return this.#post("Get_Views");
      case "Views_List":
      case "Get_Views_Resp":
        this.#people.value = readPeople(Values);
        return;
      case "UI_Close":
      case "close":
        return this.#options.onClose();
      case "UI_Save":
        return this.#post("Action_Save", { Notify: true });
      case "UI_Share":
      case "UI_Sharing":
        return this.#options.onShare();
      case "UI_FileVersions":
      case "rev-history":
        return this.#options.onVersions();
      case "File_Rename":
        if (typeof Values.NewName === "string") this.#options.onRenamed(Values.NewName);
        return;
      case "App_TokenExpiring":
      case "App_TokenExpired":
        this.#options.onTokenNeeded();
    }
  };

  #load(status: unknown): void {
    this.greet();
    if (status !== "Document_Loaded") return;
    this.#stage.value = "loaded";
    this.#post("Get_Views");
  }

  #modify(isModified: boolean): void {
    this.#modified.value = isModified;
    if (!isModified) this.#settleSave?.(true);
  }

  #saved({ success }: Values): void {
    const isSaved = success === true || success === "true";
    if (isSaved) this.#modified.value = false;
    else this.#options.onTokenNeeded();
    this.#settleSave?.(isSaved);
  }
}

type Values = Record<string, unknown>;

/** Reads a message: JSON text, or an object. @returns no id for any other */
function readMessage(data: unknown): { MessageId: string | null; Values: Values } {
  const none = { MessageId: null, Values: {} };
  let message = data;
  if (typeof data === "string") {
    if (data.length > MAX_TEXT || !data.startsWith("{")) return none;
    try {
      message = JSON.parse(data);
    } catch {
      // Not of this protocol.
      return none;
    }
  }
  if (!isObject(message) || typeof message.MessageId !== "string") return none;
  return { MessageId: message.MessageId, Values: isObject(message.Values) ? message.Values : {} };
}

/** Reads a list of views, an array or an object with one. A user in two windows is named once. */
function readPeople(values: Values): Person[] {
  const { Views: views = values } = values;
  const people = new Map<string, Person>();
  for (const view of Object.values(isObject(views) ? views : {}).slice(0, MAX_PEOPLE)) {
    if (!isObject(view)) continue;
    const { ViewId, UserId, UserName } = view;
    const id = String(UserId || ViewId || "");
    const name = typeof UserName === "string" ? UserName.trim().slice(0, MAX_NAME) : "";
    if (id !== "" && name !== "") people.set(id, { id, name });
  }
  return [...people.values()];
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null;
}
