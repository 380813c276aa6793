import { decodeOnce } from "../../shared/files/location.ts";
import { placeOf } from "./address.ts";
import type { CnpsNode } from "./node.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One file, or several side by side. */
type Version = { readonly url: string; readonly trim?: Cut } | { readonly parts: readonly Fields[] };

/**
 * The payload of the job's source: one file, or several consecutive parts. `subtitles` are addresses of files whose texts
 * belong to it; their times count from its beginning.
 */
export const sourceOf = (
  sources: CnpsNode,
  isStitched: boolean,
  subtitles: readonly string[],
): Record<string, unknown> => {
  const modules = sources.all("Module");
  const [first, second] = modules;
  if (!first) return sources.fail("<Sources> has no <Module_0>");
  if (second && !isStitched) {
    second.fail('several sources are read only as one film: ProjectSettings must have Stitching.DWD="1"');
  }
  const versions = modules.flatMap(versionsOf);
  const [only] = versions;
  if (versions.length === 1 && subtitles.length === 0 && only && "url" in only) {
    return { kind: "asset_url", payload: only };
  }
  const [begin, ...rest] = versions.map(asVersion);
  const beside = subtitles.map((url) => componentOf({ url, contents: [{ kind: "subtitle" }] }));
  const asset_versions = begin
    ? [{ ...begin, asset_components: [...begin.asset_components, ...beside] }, ...rest]
    : sources.fail("<Sources> has no <Module_0>");
  return { kind: "asset_complex", payload: { kind: "sequence", asset_versions } };
};

/** The source whose filters change every destination; with several sources nothing can be filtered alone. */
export const filteredSource = (sources: CnpsNode): CnpsNode | undefined => {
  const [first, ...more] = sources.all("Module");
  const filters = (module: CnpsNode) =>
    ["Filter_0", "Filter_1"].flatMap((name) => module.one(name)?.all("Module") ?? []);
  if (more.length === 0) return first;
  const [filter] = [first, ...more].flatMap((module) => (module ? filters(module) : []));
  return filter?.fail("one of several sources cannot have filters of its own: put them into the destinations");
};

const asVersion = (version: Version, index: number) => ({
  version_uid: `source_${index}`,
  asset_components: "parts" in version ? version.parts : [componentOf(version)],
});

const componentOf = ({ url, ...more }: Fields): Fields => {
  const [, folder = "", name = ""] = /^(.*[\\/])([^\\/]+)$/.exec(String(url)) ?? [];
  return { kind: "name", name: decoded(String(url), name), location: { path: folder }, ...more };
};

/** Names are text, addresses are encoded. */
const decoded = (url: string, name: string): string => (/^[a-z][a-z0-9+.-]+:\/\//i.test(url) ? decodeOnce(name) : name);

/** One part, or one for each entry of a cut list. */
const versionsOf = (module: CnpsNode): Version[] => {
  module.text("Duration"); // the file's own properties count
  const cuts = cutsOf(module).map((trim) => (Object.keys(trim).length > 0 ? { trim } : {}));
  const parts = partsOf(module);
  if (!parts) return cuts.map((trim) => ({ url: urlOf(module), ...trim }));
  const [first] = parts;
  if (first && parts.every(({ url }) => url === first.url)) return cuts.map((trim) => ({ url: first.url, ...trim }));
  return cuts.map((trim) => ({ parts: parts.map((part) => componentOf({ ...part, ...trim })) }));
};

const urlOf = (module: CnpsNode): string =>
  placeOf(module.text("FullUNCFilename"), module.text("Filename")) ?? module.fail(`<${module.name}> has no Filename`);

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

type Part = { readonly url: string; readonly contents: readonly Fields[] };

/** Picture and sound from separate files; undefined for a source that is one file. */
const partsOf = (module: CnpsNode): readonly Part[] | undefined => {
  if (module.isOn("ComplexSource")) return complexParts(module);
  if (module.isOn("MultiSource")) return multiSourceParts(module);
  module.one("ModuleData");
  return undefined;
};

/** The older form: each file is said to be picture or sound, and which of its tracks becomes which. */
const complexParts = (module: CnpsNode): Part[] => {
  const parts = module.one("ModuleData")?.all("Module") ?? [];
  if (parts.length === 0) module.fail("ComplexSource needs a <ModuleData> with a <Module_0>");
  return parts.map((part) => {
    const kind = part.text("ElementaryStream")?.toLowerCase();
    if (kind !== "video" && kind !== "audio") part.fail("ElementaryStream must be Video or Audio");
    const track = part.integer("SourceTrack") ?? 0;
    const wanted = part.integer("ComplexSourceTrack") ?? 0;
    const map = [{ input: { track }, output: { track: wanted } }];
    return { url: urlOf(part), contents: [{ kind, ...(kind === "audio" && { map }) }] };
  });
};

/**
 * The newer form: a list of files, and a table of streams in which `StreamSelector_n` says what stream n is (0 picture,
 * 2 sound; without one the first is the picture) and `StreamPtr_n` from which file it comes.
 */
const multiSourceParts = (module: CnpsNode): Part[] => {
  const data = module.one("ModuleData") ?? module.fail("MultiSource needs a <ModuleData>");
  const files = data.one("SourceModules")?.all("MultiSrcModule") ?? [];
  if (files.length === 0) data.fail("MultiSource needs <SourceModules> with a <MultiSrcModule_0>");
  const urls = files.map((file) => {
    if (file.isOn("MultiSource")) file.fail("a MultiSource within a MultiSource is not supported");
    for (const name of ["CreatorMachine", "CreatorUser"]) file.text(name);
    file.one("ModuleData");
    return urlOf(file);
  });
  const table = data.one("StreamTypeTable") ?? data.fail("MultiSource needs a <StreamTypeTable>");
  const parts = streamsOf(table).map(({ kind, file }) => {
    const url = urls[file] ?? table.fail(`StreamPtr ${file} names a file that <SourceModules> does not have`);
    return { url, contents: [{ kind }] };
  });
  const byFile = Map.groupBy(parts, ({ url }) => url);
  return [...byFile].map(([url, streams]) => ({ url, contents: streams.flatMap(({ contents }) => contents) }));
};

const streamKinds: Readonly<Record<number, string>> = { 0: "video", 2: "audio" };

const streamsOf = (table: CnpsNode) => {
  const streams: { readonly kind: string; readonly file: number }[] = [];
  for (let index = 0; index < 64; index++) {
    const file = table.integer(`StreamPtr_${index}`);
    if (file === undefined) break;
    table.integer(`StreamType_${index}`);
    const selector = table.integer(`StreamSelector_${index}`) ?? (index === 0 ? 0 : 2);
    const kind = streamKinds[selector] ?? table.fail(`StreamSelector_${index} must be 0 (picture) or 2 (sound)`);
    streams.push({ kind, file });
  }
  return streams.length > 0 ? streams : table.fail("<StreamTypeTable> has no StreamPtr_0");
};
