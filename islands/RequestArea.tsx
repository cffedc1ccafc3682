export { RequestPage as RequestArea } from "../lib/client/request_page/RequestPage.tsx";
