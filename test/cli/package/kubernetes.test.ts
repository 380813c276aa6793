import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { readConfig } from "../../../coordinator/config.ts";

const file = join(import.meta.dirname, "../../../cli/package/image/kubernetes.yaml");

type Manifest = { readonly apiVersion: string; readonly kind: string } & Record<string, unknown>;
/** Throws where the object is not what Kubernetes' own description of its API says. */
type Checked = { readonly validate: () => void };

const manifests = parseAllDocuments(readFileSync(file, "utf8")).map((each) => each.toJS() as Manifest);

const load = createRequire(import.meta.url);
const kindOf = ({ apiVersion, kind }: Manifest): (new (made: Manifest) => Checked) =>
  load(`kubernetes-models/${apiVersion}/${kind}`)[kind];

/** The same with one thing changed, found by its path. */
const changed = (manifest: Manifest, path: readonly string[], value: unknown): Manifest => {
  const copy = structuredClone(manifest);
  const last = path.at(-1) ?? "";
  // It goes down whatever a manifest holds.
  const place = path
    .slice(0, -1)
    .reduce((at, name) => at[name] as Record<string, unknown>, copy as Record<string, unknown>);
  place[last] = value;
  return copy;
};

test.each(manifests.map((each) => [each.kind, each] as const))("%s is what Kubernetes' schema asks for", (_, each) => {
  new (kindOf(each))(each).validate();
  expect(() => new (kindOf(each))(changed(each, ["metadata"], "no object")).validate()).toThrow();
});

const stateful = manifests.find(({ kind }) => kind === "StatefulSet") as Manifest;
const container = (stateful as never as { spec: { template: { spec: { containers: readonly Container[] } } } }).spec
  .template.spec.containers[0] as Container;
type Container = {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly readinessProbe: { readonly httpGet: { readonly path: string } };
};

test("a mistake in the coordinators is found", () => {
  const Kind = kindOf(stateful);
  const probe = ["spec", "template", "spec", "containers", "0", "readinessProbe", "periodSeconds"];
  expect(() => new Kind(changed(stateful, probe, "often")).validate()).toThrow();
  expect(() => new Kind(changed(stateful, ["spec", "selector"], undefined)).validate()).toThrow();
});

test("the coordinators take the environment that the manifest gives them", () => {
  const given = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  const address = `${given.MEDIAFARM_ADDRESS}`.replace("$(NAME)", "farm-0");
  const key = Buffer.alloc(32).toString("base64");
  const config = readConfig(
    { dataDir: "/var/lib/mediafarm" },
    { ...given, MEDIAFARM_ADDRESS: address, MEDIAFARM_SECRET_KEY: key, PGPASSWORD: "p" },
  );
  expect(config).toMatchObject({ address, store: given.MEDIAFARM_STORE, hostNames: ["FARM-NAME"] });
  expect(container.readinessProbe.httpGet.path).toBe("/readyz");
});
