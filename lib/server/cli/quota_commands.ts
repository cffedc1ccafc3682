import { Quotas } from "../features/quotas/quotas.ts";
import { TrashRecords } from "../files/trash/trash_records.ts";
import { openListingWorker } from "../files/workers/workers.ts";
import { type Command, wordAt } from "./command.ts";
import { usageText } from "./quota_usage.ts";
import { findUser } from "./user_commands.ts";

/** The command that counts what users with a quota have in use. */
export const quotaCommands: Command[] = [
  {
    name: "quota recount",
    words: "<id|name>",
    about: "recount the usage of a user with a quota",
    async run(call) {
      const { users, store, openGate } = call.records;
      const { id } = await findUser(users, wordAt(call, 0, "user"));
      const user = await users.acting(id);
      const listingWorker = openListingWorker();
      const quotas = new Quotas({
        ...{ store, users, listingWorker, gate: await openGate(true) },
        trash: new TrashRecords(store),
        isAlone: false,
        report: () => {},
      });
      try {
        call.print(`${user.username}: ${usageText(await quotas.recount(user))}`);
      } finally {
        quotas.close();
        listingWorker.close();
      }
    },
  },
];
