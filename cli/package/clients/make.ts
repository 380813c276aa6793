import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiOf } from "../../../coordinator/http/openapi/openapi.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { api } from "../../../shared/api/api.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { makeAlike } from "../alike.ts";
import { root } from "../bundle.ts";
import { packNpm } from "../npm.ts";
import { zipOf } from "../zip.ts";
import { type ClientModel, readDocument } from "./calls.ts";
import { pythonFiles } from "./python/generate.ts";
import { typescriptFiles } from "./typescript/generate.ts";

const here = import.meta.dirname;
const { version, license } = packageJson;

/** What this version's clients are made from: the document that its farms answer with. */
export const ownModel = (): ClientModel => readDocument(openApiOf(api, version));

/** Makes the TypeScript client, as a package for npm, and the Python client, as a wheel. Returns their paths. */
export const makeClients = (outDir: string): readonly string[] => {
  mkdirSync(outDir, { recursive: true });
  const model = ownModel();
  return [makeTypescript(model, outDir), makePython(model, outDir)];
};

const makeTypescript = (model: ClientModel, outDir: string): string => {
  const folder = join(outDir, "client");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "src"), { recursive: true });
  for (const [name, text] of Object.entries(typescriptFiles(model))) writeFileSync(join(folder, "src", name), text);
  cpSync(join(here, "typescript/runtime.ts"), join(folder, "src/runtime.ts"));
  const manifest = {
    ...{ name: "mediafarm-client", version, description: "The API of Mediafarm, typed", license, type: "module" },
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    engines: { node: ">=22" },
    files: ["dist"],
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  compile(folder);
  rmSync(join(folder, "src"), { recursive: true });
  cpSync(join(here, "typescript/README.md"), join(folder, "README.md"));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  makeAlike(folder, () => false);
  packNpm(folder, outDir);
  return join(outDir, `mediafarm-client-${version}.tgz`);
};

/** The compiler also checks that what was made is sound. */
const compile = (folder: string): void => {
  const flags = [
    ...["--ignoreConfig", "--strict", "--exactOptionalPropertyTypes", "--rewriteRelativeImportExtensions"],
    ...["--declaration", "--target", "es2023", "--module", "nodenext", "--types", ""],
    ...["--lib", "es2023,dom,dom.iterable,dom.asynciterable", "--outDir", join(folder, "dist")],
  ];
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, ...flags, join(folder, "src/index.ts")], {
    encoding: "utf8",
  });
  if (status !== 0) throw new AppError("INTERNAL", `The TypeScript client does not compile: ${stdout}${stderr}`);
};

const makePython = (model: ClientModel, outDir: string): string => {
  const info = `mediafarm_client-${version}.dist-info`;
  const own = (name: string): string => readFileSync(join(here, "python", name), "utf8");
  const files = {
    "mediafarm_client/__init__.py": own("__init__.py"),
    "mediafarm_client/runtime.py": own("runtime.py"),
    ...Object.fromEntries(Object.entries(pythonFiles(model)).map(([name, text]) => [`mediafarm_client/${name}`, text])),
    "mediafarm_client/py.typed": "",
    [`${info}/METADATA`]: metadata(own("README.md")),
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: mediafarm\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    [`${info}/licenses/LICENSE`]: readFileSync(join(root, "LICENSE"), "utf8"),
  };
  const stored = Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  const record = stored.map(({ name, bytes }) => {
    const hash = createHash("sha256").update(bytes).digest("base64url");
    return `${name},sha256=${hash},${bytes.length}\n`;
  });
  const list = { name: `${info}/RECORD`, bytes: Buffer.from(`${record.join("")}${info}/RECORD,,\n`) };
  const path = join(outDir, `mediafarm_client-${version}-py3-none-any.whl`);
  writeFileSync(path, zipOf([...stored, list]));
  return path;
};

const metadata = (readme: string): string =>
  [
    ...["Metadata-Version: 2.4", "Name: mediafarm-client", `Version: ${version}`],
    ...["Summary: The API of Mediafarm, typed", `License-Expression: ${license}`, "License-File: LICENSE"],
    ...["Requires-Python: >=3.11", "Description-Content-Type: text/markdown", "", readme],
  ].join("\n");
