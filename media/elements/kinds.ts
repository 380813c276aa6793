// Every element kind: adding one is one folder and one line here.
export { analyze } from "./analyze/index.ts";
export { bifCreator } from "./bif-creator/index.ts";
export { copy } from "./copy/index.ts";
export { deleteAsset } from "./delete-asset/index.ts";
export { dolbyAudioEncoder } from "./dolby-audio-encoder/index.ts";
export { dolbyVision } from "./dolby-vision/index.ts";
export { dppPackager } from "./dpp-packager/index.ts";
export { folderEnum } from "./folder-enum/index.ts";
export { notify } from "./notify/index.ts";
export { packager } from "./package/index.ts";
export { qc } from "./qc/index.ts";
export { script } from "./script/index.ts";
export { source } from "./source/index.ts";
export { sourceProvider } from "./source-provider/index.ts";
export { transcode } from "./transcode/index.ts";
export { watchfolder } from "./watchfolder/index.ts";
