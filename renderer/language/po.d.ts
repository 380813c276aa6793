/** A translator's catalogue, compiled when the pages are built. */
declare module "*.po" {
  export const messages: import("@lingui/core").Messages;
}
