/** The ids of the menus, which stand apart from the buttons in the header that open them. */
export const UPLOAD_MENU = "upload-menu";
export const MORE_MENU = "more-menu";
