// Every element kind: adding one is one folder and one line here.
export { copy } from "./copy/index.ts";
export { source } from "./source/index.ts";
export { sourceProvider } from "./source-provider/index.ts";
export { transcode } from "./transcode/index.ts";
