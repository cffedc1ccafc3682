import "../lib/client/files_page/layout/open_files.ts";

export { PhotosPage as PhotosArea } from "../lib/client/screens/photos/PhotosPage.tsx";
