import { join } from "node:path";

/** How this program came to the machine. */
export type Installation =
  | { readonly kind: "deb" }
  | {
      readonly kind: "npm";
      /** The package's folder. */
      readonly folder: string;
      /** The words that tell npm where it is installed. */
      readonly place: readonly string[];
    };

/** Pure: the installation whose code lies in `folder`, with `/` between names; undefined for a clone and for the desktop app. */
export const installationAt = (folder: string): Installation | undefined => {
  if (folder === "/usr/lib/mediafarm/server/dist") return { kind: "deb" };
  const [, modules] = /^(.*\/node_modules)\/mediafarm\/server\/dist$/.exec(folder) ?? [];
  if (modules === undefined) return undefined;
  const [, prefix] = /^(.*)\/lib\/node_modules$/.exec(modules) ?? [];
  return {
    kind: "npm",
    folder: join(modules, "mediafarm"),
    place: prefix === undefined ? ["--prefix", join(modules, "..")] : ["--global", "--prefix", prefix],
  };
};
