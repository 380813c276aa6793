import { existsSync } from "node:fs";
import { join } from "node:path";
import { capabilityError, definitionError } from "../../shared/model/failure.ts";
import { packageFolder } from "./package-folder.ts";

/** Files bundled with the program, by the names that `stage` steps use: fonts for burned-in text. */
const bundled: Readonly<Record<string, readonly [packageName: string, path: string]>> = {
  "DejaVuSans.ttf": ["dejavu-fonts-ttf", "ttf/DejaVuSans.ttf"],
  "DejaVuSans-Bold.ttf": ["dejavu-fonts-ttf", "ttf/DejaVuSans-Bold.ttf"],
  "DejaVuSansMono.ttf": ["dejavu-fonts-ttf", "ttf/DejaVuSansMono.ttf"],
  "DejaVuSansMono-Bold.ttf": ["dejavu-fonts-ttf", "ttf/DejaVuSansMono-Bold.ttf"],
  "DejaVuSerif.ttf": ["dejavu-fonts-ttf", "ttf/DejaVuSerif.ttf"],
};

/** The path of a bundled file. An installed app keeps them beside its code, a clone in its packages. */
export const bundledPath = (name: string): string => {
  const entry = Object.hasOwn(bundled, name) ? bundled[name] : undefined;
  if (!entry) throw definitionError(`This program has no bundled file "${name}"`);
  const beside = join(import.meta.dirname, "bundled", name);
  return existsSync(beside) ? beside : inPackage(name, entry);
};

/** The bundled files and where a clone has them, for whoever makes a package. */
export const bundledFiles = (): (readonly [name: string, path: string])[] =>
  Object.entries(bundled).map(([name, entry]) => [name, inPackage(name, entry)]);

const inPackage = (name: string, [packageName, path]: readonly [string, string]): string => {
  const folder = packageFolder(packageName);
  if (folder !== undefined) return join(folder, path);
  throw capabilityError(`${name} is missing: the package ${packageName} is not installed on this node`);
};
