/** What the user can do with the folder on screen, from buttons and keys alike. */
export declare class Actions {
  /** Asks for a name, makes the folder, shows it. */
  newFolder(): Promise<void>;
  /** Asks, then deletes the selected entries. */
  deleteSelection(): Promise<void>;
  /** Downloads the selected entries, or the folder on screen when none is. */
  downloadSelection(): Promise<void>;
  /** Opens the entry at an index: a folder in place, a file at its own address. */
  openAt(index: number): void;
  /** Signs out and goes to the login page. */
  signOut(): Promise<void>;
}
