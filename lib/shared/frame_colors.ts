/** The colours of the browser's own frame in each theme: those of the token `canvas`. */
export const frameColors = { light: "#eff4f1", dark: "#0e1211" } as const;
