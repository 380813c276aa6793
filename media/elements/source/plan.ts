import { toNumber } from "../../../shared/basics/rational.ts";
import { wordsIn } from "../../../shared/basics/words.ts";
import { nameOf } from "../../../shared/files/location.ts";
import type { Asset } from "../../../shared/model/asset.ts";
import { definitionError } from "../../../shared/model/failure.ts";
import type { Manifest } from "../../../shared/work/manifest.ts";
import { buildVirtualSource } from "../../virtual-source/build-virtual-source.ts";
import { buildFileSource } from "../../virtual-source/file-source.ts";
import type { FactRequest, FoundFacts, Plan, PlanContext } from "../element.ts";
import { type Component, type Version, versionsOf } from "./components.ts";
import { layerOfVersion } from "./layer.ts";
import { expandManifests } from "./manifest-components.ts";
import { createTrimReader, type TrimReader } from "./read-trim.ts";
import { readingOf } from "./reading.ts";
import type { SourcePayload } from "./schema.ts";
import { buildSection, isSidecar, type SectionNeeds } from "./section.ts";
import { withTextFiles } from "./text-files.ts";

/** A source makes nothing: its files are looked at, and what was found flows on. */
export const planSource = (context: PlanContext<SourcePayload>): Plan<never> => {
  const { uid, payload, manifestOf = () => undefined, factsOf } = context;
  const { versions: named, isMulti } = versionsOf(payload, uid);
  const document = documentOf(named);
  if (document !== undefined) return { tasks: [], assets: [{ version: uid, files: [{ uri: document }] }] };
  const versions = withTextFiles(named, payload.kind === "asset_urls");
  const listed = versions.flatMap(({ components }) => components);
  const unread = listed.filter((component) => isManifest(component) && !manifestOf(component.uri ?? ""));
  if (unread.length > 0) return { need: unread.map(manifestRequest) };
  const manifests = listed.flatMap(({ uri = "" }) => manifestOf(uri) ?? []);
  const played = versions.flatMap((version) => expandManifests(version, ({ uri = "" }) => manifestOf(uri)));
  const need = requestsOf(played, factsOf);
  if (need.length > 0) return { need };
  const found = ({ uri = "" }: Component): FoundFacts => {
    const facts = factsOf(uri);
    if (!facts) throw new Error(`${uri} is planned without its facts`);
    return facts;
  };
  const trims = createTrimReader(context.framesOf);
  const common = {
    ...readingOf(listed.map(({ options }) => options)),
    ...manifestFlags(manifests),
    ...caching(Math.max(...listed.map(({ options }) => options?.cache_ttl ?? 0))),
  };
  if (isMulti) {
    const assets = played.map((version, index) =>
      assetOf([version], version.uid ?? `${uid}_${index}`, { found, trims }),
    );
    return planned(
      assets.map((asset) => ({ ...asset, ...common })),
      trims,
    );
  }
  const aside = played.find(({ components }) => components.every(isSidecar));
  if (aside && played.length > 1)
    throw definitionError(`${aside.components[0]?.path}: a version of a sequence needs media`);
  const asset = plainAsset(payload, uid, { found, trims }) ?? assetOf(played, uid, { found, trims });
  return planned([{ ...asset, ...common }], trims);
};

/** Endings of files that are copied as they lie; elements that look at media read manifests themselves. */
const documents = new Set(
  wordsIn(`
  srt vtt scc mcc stl ttml dfxp ass xml json txt csv tsv log md html htm yaml yml pdf rtf key doc docx xls xlsx
  ppt pptx odt ods odp psd ai eps indd svg m3u8 mpd zip tar gz tgz bz2 xz 7z rar zst iso dmg bin bif md5 sha1
  sha256 mhl edl aaf ale otio fcpxml xmp cube cdl 3dl ttf otf ttc woff woff2
`),
);

const endingOf = (uri: string): string => /\.([a-z0-9]+)$/i.exec(uri)?.[1]?.toLowerCase() ?? "";

/** A file that is no media by its name, and that nothing is asked of: it can be copied or deleted, and is not probed. */
const documentOf = (versions: readonly Version[]): string | undefined => {
  const [only, ...more] = versions.flatMap(({ components }) => components);
  if (!only?.uri || more.length > 0 || only.contents || only.trim || only.options) return undefined;
  return documents.has(endingOf(only.uri)) ? only.uri : undefined;
};

/** The assets, once every frame that their trims name is found. */
const planned = (assets: readonly Asset[], { need }: TrimReader): Plan<never> =>
  need.length > 0 ? { need } : { tasks: [], assets };

const isManifest = ({ uri = "", options, pieces }: Component) =>
  options?.resolve_manifest ?? (pieces === undefined && /\.(m3u8|mpd)$/i.test(nameOf(uri)));

const manifestRequest = ({ uri = "", options }: Component): FactRequest => ({
  fact: "manifest",
  uri,
  ...waiting(options?.wait_for_source_timeout_sec),
});

const caching = (cacheSec = 0) => (cacheSec > 0 ? { cacheSec } : {});

const waiting = (waitSec = 0) => (waitSec > 0 ? { waitSec } : {});

/** Every file once, however often it is played. */
const requestsOf = (versions: readonly Version[], factsOf: (uri: string) => FoundFacts | undefined): FactRequest[] => {
  const requests = new Map<string, FactRequest>();
  for (const component of versions.flatMap(({ components }) => components)) {
    const { uri, pieces, images, options } = component;
    if (uri === undefined || isSidecar(component) || factsOf(uri)) continue;
    const timing = { ...waiting(options?.wait_for_source_timeout_sec), ...caching(options?.cache_ttl) };
    requests.set(uri, { fact: "probe", uri, ...(pieces && { pieces }), ...(images && { images }), ...timing });
  }
  return [...requests.values()];
};

/** One file, of which nothing but a part may be asked. */
const plainAsset = (payload: SourcePayload, uid: string, { found, trims }: SectionNeeds): Asset | undefined => {
  const [version] = versionsOf(payload, uid).versions;
  const [component] = version?.components ?? [];
  if (payload.kind !== "asset_url" || !component || component.contents || isManifest(component)) return undefined;
  const { uri = "", trim, path } = component;
  const file = { uri, ...found(component) };
  const picture = buildFileSource(file, uid);
  const range = trims.read(trim, { timeline: picture.facts, picture, what: `${path}.trim` });
  return { version: uid, files: [file], range };
};

const assetOf = (versions: readonly Version[], version: string, needs: SectionNeeds): Asset => {
  const files: Asset["files"] = [];
  const sidecars: NonNullable<Asset["sidecars"]> = [];
  const sections: NonNullable<Asset["sections"]> = [];
  for (const each of versions) {
    const built = buildSection(each, needs, files.length);
    const beginSec = built.sidecars.length > 0 ? secondsOf({ version, files, sections }) : 0;
    sidecars.push(...built.sidecars.map((sidecar) => ({ ...sidecar, ...(beginSec > 0 && { beginSec }) })));
    files.push(...built.files);
    if (built.section) sections.push(built.section);
  }
  const layer = versions.length === 1 ? layerOfVersion(versions[0]?.components ?? []) : undefined;
  return {
    ...{ version, files, ...(layer && { layer }) },
    ...(sections.length > 0 && { sections }),
    ...(sidecars.length > 0 && { sidecars }),
  };
};

/** How long the sections last that are played before the next one. */
const secondsOf = (asset: Asset): number => {
  const { duration } = asset.sections?.length ? buildVirtualSource(asset, asset.version).timing : {};
  return duration ? toNumber(duration) : 0;
};

const manifestFlags = (manifests: readonly Manifest[]): Pick<Asset, "manifest"> =>
  manifests.length === 0
    ? {}
    : {
        manifest: {
          isMaster: manifests.some(({ isMaster }) => isMaster),
          isComplex: manifests.some(
            ({ sections }) => sections.length > 1 || sections.some(({ tracks }) => tracks.length > 1),
          ),
        },
      };
