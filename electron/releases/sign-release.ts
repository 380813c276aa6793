import { createHash, sign } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Files of a package folder that the app may fetch. */
const isPackage = (name: string): boolean => /\.(AppImage|deb|exe|dmg|zip|blockmap)$/.test(name);

/** Signs the packages of one version: `mediafarm-update.json` names them with their hashes, and `.sig` proves it. */
export const signRelease = (privateKey: string, folder: string, version: string): void => {
  const files = readdirSync(folder)
    .filter(isPackage)
    .sort()
    .map((name) => ({ name, sha512: hashOf(join(folder, name)) }));
  if (files.length === 0) throw new Error(`${folder} has no packages to sign`);
  const manifest = JSON.stringify({ version, files });
  writeFileSync(join(folder, "mediafarm-update.json"), manifest);
  const signature = sign(null, Buffer.from(manifest), privateKey).toString("base64");
  writeFileSync(join(folder, "mediafarm-update.json.sig"), signature);
};

/** As electron-updater's own feed files have it. */
const hashOf = (file: string): string => createHash("sha512").update(readFileSync(file)).digest("base64");

const main = ([key, folder]: readonly string[]): number => {
  if (key === undefined || folder === undefined) {
    console.error("Usage: node electron/releases/sign-release.ts KEY.pem FOLDER");
    return 2;
  }
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  signRelease(readFileSync(key, "utf8"), folder, version);
  return 0;
};

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
