/** A text as written in an XML element or attribute. Characters that XML does not allow are removed. */
export const xmlText = (text: string): string =>
  text
    .replaceAll(unwritable, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the letters that XML 1.0 excludes
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
