import "../lib/client/files_page/layout/open_files.ts";

export { OfficePage as OfficeArea } from "../lib/client/screens/office/OfficePage.tsx";
