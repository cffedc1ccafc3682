/** The id of the menu of uploads, which stands apart from the button in the header that opens it. */
export const UPLOAD_MENU = "upload-menu";
