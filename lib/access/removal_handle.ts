import { lstatIfThere } from "./lstat.ts";
import { asRefusal } from "./os_errors.ts";
import { SourceHandle } from "./source_handle.ts";

/** An entry that the viewer may take away from where it is: the link, not what it leads to. */
export class RemovalHandle extends SourceHandle {
  /** Removes the entry, when it is no folder. A link goes, its target stays. */
  removeSingle(): void {
    this.verify();
    try {
      if (lstatIfThere(this.real)?.isDirectory) throw new Deno.errors.NotFound();
      Deno.removeSync(this.real);
    } catch (error) {
      throw asRefusal(error, this.action);
    }
  }
}
