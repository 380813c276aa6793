import { placeOf } from "./address.ts";
import type { CnpsNode } from "./node.ts";

type Version = Readonly<Record<string, unknown>>;

/** The payload of the job's source: one file, or several consecutive parts. */
export const sourceOf = (sources: CnpsNode, isStitched: boolean): Record<string, unknown> => {
  const modules = sources.all("Module");
  const [first, second] = modules;
  if (!first) return sources.fail("<Sources> has no <Module_0>");
  if (second && !isStitched) {
    second.fail('several sources are read only as one film: ProjectSettings must have Stitching.DWD="1"');
  }
  const versions = modules.flatMap(versionsOf);
  const [only] = versions;
  if (versions.length === 1 && only && "url" in only) return { kind: "asset_url", payload: only };
  const asset_versions = versions.map((version, index) => asVersion(version, index));
  return { kind: "asset_complex", payload: { kind: "sequence", asset_versions } };
};

const asVersion = (version: Version, index: number): Version =>
  "asset_components" in version
    ? { version_uid: `source_${index}`, ...version }
    : { version_uid: `source_${index}`, asset_components: [componentOf(version)] };

const componentOf = ({ url, ...more }: Version): Version => {
  const [, folder = "", name = ""] = /^(.*[\\/])([^\\/]+)$/.exec(String(url)) ?? [];
  return { kind: "name", name: decoded(String(url), name), location: { path: folder }, ...more };
};

/** Names are text, addresses are encoded. */
const decoded = (url: string, name: string): string =>
  /^[a-z][a-z0-9+.-]+:\/\//i.test(url) ? decodeURIComponent(name) : name;

/** One part, or one for each entry of a cut list. */
const versionsOf = (module: CnpsNode): Version[] => {
  if (module.isOn("MultiSource")) module.fail("MultiSource is not supported");
  refuseFilters(module);
  if (module.isOn("ComplexSource")) return [complexOf(module)];
  module.one("ModuleData");
  module.text("Duration"); // the file's own properties count
  const url = placeOf(module.text("FullUNCFilename"), module.text("Filename"));
  if (url === undefined) return module.fail(`<${module.name}> has no Filename`);
  const cuts = cutsOf(module);
  return cuts.map((trim) => ({ url, ...(Object.keys(trim).length > 0 && { trim }) }));
};

type Cut = { readonly inpoint_sec?: number; readonly outpoint_sec?: number };

const cutsOf = (module: CnpsNode): Cut[] => {
  const whole = cutOf(module, "Inpoint", "Outpoint");
  const list = module.one("InOutPoints");
  if (!list) return [whole];
  const cuts: Cut[] = [];
  for (
    let index = 0;
    list.text(`Inpoint_${index}`) !== undefined || list.text(`Outpoint_${index}`) !== undefined;
    index++
  ) {
    cuts.push(cutOf(list, `Inpoint_${index}`, `Outpoint_${index}`));
  }
  return cuts.length > 0 ? cuts : [whole];
};

const cutOf = (node: CnpsNode, from: string, to: string): Cut => {
  const [inpoint_sec, outpoint_sec] = [node.seconds(from), node.seconds(to)];
  if (inpoint_sec !== undefined && outpoint_sec !== undefined && outpoint_sec <= inpoint_sec) {
    node.fail(`${to} must be later than ${from}`);
  }
  return { ...(inpoint_sec !== undefined && { inpoint_sec }), ...(outpoint_sec !== undefined && { outpoint_sec }) };
};

/** Picture and sound from separate files. */
const complexOf = (module: CnpsNode): Version => {
  const parts = module.one("ModuleData")?.all("Module") ?? [];
  if (parts.length === 0) module.fail("ComplexSource needs a <ModuleData> with a <Module_0>");
  const asset_components = parts.map((part) => {
    const kind = part.text("ElementaryStream")?.toLowerCase();
    if (kind !== "video" && kind !== "audio") part.fail("ElementaryStream must be Video or Audio");
    const track = part.integer("SourceTrack") ?? 0;
    const wanted = part.integer("ComplexSourceTrack") ?? 0;
    const url = placeOf(part.text("FullUNCFilename"), part.text("Filename"));
    if (url === undefined) return part.fail(`<${part.name}> has no Filename`);
    const map = [{ input: { track }, output: { track: wanted } }];
    return componentOf({ url, contents: [{ kind, ...(kind === "audio" && { map }) }] });
  });
  return { asset_components };
};

const refuseFilters = (module: CnpsNode): void => {
  for (const name of ["Filter_0", "Filter_1"]) {
    const [filter] = module.one(name)?.all("Module") ?? [];
    filter?.fail(`filters of a source are not supported: put ${filter.text("ModuleGUID") ?? "it"} into a destination`);
  }
};
