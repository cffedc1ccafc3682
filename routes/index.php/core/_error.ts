/** As at the addresses of WebDAV: a page without `--sync-clients`. */
export { handler } from "../../remote.php/_error.ts";
