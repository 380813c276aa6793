import type { Asset } from "../../asset.ts";
import type { Manifest } from "../../manifests/manifest.ts";
import { virtualSourceOfFile } from "../../virtual-source/of-file.ts";
import { rangeOf } from "../../virtual-source/trim.ts";
import type { FactRequest, FoundFacts, Plan, PlanContext } from "../element.ts";
import { type Component, type Version, versionsOf } from "./components.ts";
import { expandManifests } from "./manifest-components.ts";
import { readingOf } from "./reading.ts";
import type { SourcePayload } from "./schema.ts";
import { isSidecar, sectionOf } from "./section.ts";

/** A source makes nothing: its files are looked at, and what was found flows on. */
export const planSource = (context: PlanContext<SourcePayload>): Plan<never> => {
  const { uid, payload, manifestOf = () => undefined, factsOf } = context;
  const { versions, isMulti } = versionsOf(payload, uid);
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
  const common = { ...readingOf(listed.map(({ options }) => options)), ...manifestFlags(manifests) };
  if (isMulti) {
    const assets = played.map((version, index) => assetOf([version], found, version.uid ?? `${uid}_${index}`));
    return { tasks: [], assets: assets.map((asset) => ({ ...asset, ...common })) };
  }
  return { tasks: [], assets: [{ ...(plainAsset(payload, uid, found) ?? assetOf(played, found, uid)), ...common }] };
};

const isManifest = ({ options }: Component) => options?.resolve_manifest === true;

const manifestRequest = ({ uri = "", options }: Component): FactRequest => ({
  ...{ fact: "manifest", uri },
  ...waiting(options?.wait_for_source_timeout_sec),
});

const waiting = (waitSec = 0) => (waitSec > 0 ? { waitSec } : {});

/** Every file once, however often it is played. */
const requestsOf = (versions: readonly Version[], factsOf: (uri: string) => FoundFacts | undefined): FactRequest[] => {
  const requests = new Map<string, FactRequest>();
  for (const component of versions.flatMap(({ components }) => components)) {
    const { uri, pieces, images, options } = component;
    if (uri === undefined || isSidecar(component) || factsOf(uri)) continue;
    const waitSec = waiting(options?.wait_for_source_timeout_sec);
    requests.set(uri, { fact: "probe", uri, ...(pieces && { pieces }), ...(images && { images }), ...waitSec });
  }
  return [...requests.values()];
};

type Found = (component: Component) => FoundFacts;

/** One file, of which nothing but a part may be asked. */
const plainAsset = (payload: SourcePayload, uid: string, found: Found): Asset | undefined => {
  const [version] = versionsOf(payload, uid).versions;
  const [component] = version?.components ?? [];
  if (payload.kind !== "asset_url" || !component || component.contents || isManifest(component)) return undefined;
  const { uri = "", trim, path } = component;
  const file = { uri, ...found(component) };
  const range = rangeOf(trim, { film: virtualSourceOfFile(file, uid).facts, what: `${path}.trim` });
  return { version: uid, files: [file], range };
};

const assetOf = (versions: readonly Version[], found: Found, version: string): Asset => {
  const files: Asset["files"] = [];
  const sidecars: NonNullable<Asset["sidecars"]> = [];
  const sections = versions.map((each) => {
    const built = sectionOf(each, found, files.length);
    files.push(...built.files);
    sidecars.push(...built.sidecars);
    return built.section;
  });
  return { version, files, sections, ...(sidecars.length > 0 && { sidecars }) };
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
