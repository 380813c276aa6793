import * as module from "node:module";

/**
 * While modules load, what the product imports from Node and from its database's driver is replaced by what lies in
 * `system/`, and a line of the product can be exchanged. Nothing of the product knows of it.
 */

const root = new URL("../../../", import.meta.url).href;
const system = new URL("../system/", import.meta.url).href;

/** Whose imports are replaced. */
const product = new RegExp(`^${root}(agent|coordinator|media|shared|test/helpers/farm)/`);

type Replacement = {
  readonly file: string;
  readonly from: string;
  /** Only what lies there gets it. */
  readonly only?: string;
};

const replacements: Readonly<Record<string, Replacement>> = {
  "node:fs": { file: "fs.ts", from: "fs" },
  "node:fs/promises": { file: "fs-promises.ts", from: "fsPromises" },
  "node:child_process": { file: "programs.ts", from: "childProcess" },
  "node:worker_threads": { file: "threads.ts", from: "workerThreads" },
  "node:os": { file: "globals.ts", from: "os" },
  "node:crypto": { file: "globals.ts", from: "crypto" },
  // Coordinators that stand by answer with it; everything else above TCP is below what is simulated.
  "node:http": { file: "servers.ts", from: "http", only: "coordinator/standby/" },
};

/** A line of the product that is exchanged: the text must occur once in the file. `and` is another line of the same file. */
export type Exchange = Change & { readonly file: string; readonly and?: Change };
type Change = { readonly find: string; readonly replace: string };

type Registered = { readonly resolve: module.ResolveHookSync; readonly load: module.LoadHookSync };

export const replaceModules = (exchange?: Exchange): void => {
  const hooks: Registered = {
    resolve: (specifier, context, next) => {
      const isOurs = product.test(context.parentURL ?? "");
      const { only = "" } = replacements[specifier] ?? {};
      if (isOurs && specifier in replacements && context.parentURL?.startsWith(root + only))
        return { url: `simulated:${specifier}`, format: "module", shortCircuit: true };
      if (isOurs && specifier === "better-sqlite3")
        return { url: "simulated:better-sqlite3", format: "module", shortCircuit: true };
      const found = next(specifier, context);
      if (found.url !== `${root}agent/disk/direct-file.ts`) return found;
      return { url: "simulated:direct-file", format: "module", shortCircuit: true };
    },
    load: (url, context, next) => {
      if (url.startsWith("simulated:")) return { format: "module", source: sourceOf(url), shortCircuit: true };
      const loaded = next(url, context);
      if (exchange === undefined || url !== root + exchange.file) return loaded;
      return { ...loaded, source: exchanged(String(loaded.source), exchange) };
    },
  };
  module.registerHooks(hooks);
};

/** A module with all names of the one that it replaces. What is not simulated says so when it is called. */
const sourceOf = (url: string): string => {
  const name = url.slice("simulated:".length);
  if (name === "better-sqlite3") {
    return `import { createConnection, SqliteError } from "${system}database.ts";
      export default function Database(path) { return createConnection(path); }
      Database.SqliteError = SqliteError;`;
  }
  if (name === "direct-file") {
    return `import { directFile } from "${system}globals.ts";
      export const { directSize, pieces, openDirect, writeDirect } = directFile;`;
  }
  const { file, from } = replacements[name] ?? { file: "", from: "" };
  const names = Object.keys(process.getBuiltinModule(name) ?? {}).filter((each) => /^[A-Za-z_$][\w$]*$/.test(each));
  return `import * as real from "${name}";
    import { ${from} as simulated } from "${system}${file}";
    const refuse = (name) => () => { throw new Error("${name}: " + name + " is not simulated"); };
    const isAct = (value) => typeof value === "function" && !/^[A-Z]/.test(value.name);
    const passes = ${JSON.stringify(name === "node:crypto")};
    const pick = (name) => simulated[name] ?? (passes || !isAct(real[name]) ? real[name] : refuse(name));
    ${names
      .filter((each) => each !== "default")
      .map((each) => `export const ${each} = pick("${each}");`)
      .join("\n")}`;
};

const exchanged = (source: string, { file, and, ...first }: Exchange): string =>
  [first, ...(and ? [and] : [])].reduce((text, { find, replace }) => {
    const parts = text.split(find);
    if (parts.length !== 2) throw new Error(`${file} has the text ${parts.length - 1} times instead of once: ${find}`);
    return parts.join(replace);
  }, source);
