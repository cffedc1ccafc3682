import { topByClients } from "../../../lib/server/http/dav/files_by_dav.ts";

/** Above the files of all users, where phone apps search. */
export const handler = topByClients;
