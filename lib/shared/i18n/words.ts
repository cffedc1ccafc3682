/** Every text of the interface, by area; `locales/en.json` is the model for all languages. */
export type Words = typeof import("../../../locales/en.json", { with: { type: "json" }});

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: Words };
  }
}
