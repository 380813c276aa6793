import { mkdir, open, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codecParameters } from "../../../media/packaging/codec-parameter.ts";
import { dashManifest } from "../../../media/packaging/dash-manifest.ts";
import { type Measured, masterPlaylist } from "../../../media/packaging/master.ts";
import { measurePlaylist, sharedTarget, withTarget } from "../../../media/packaging/measure-playlist.ts";
import {
  filesPlaylist,
  type MediaIndex,
  mediaPlaylist,
  parseSegmentList,
  textPlaylist,
} from "../../../media/packaging/media-index.ts";
import { playlistAddress, recipeFromProbedMedia, withProbedFacts } from "../../../media/packaging/probed-media.ts";
import { streamOffset } from "../../../media/packaging/stream-clock.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import type { DescribedMedia } from "../../../shared/work/media-steps/describe-media.ts";
import { createReadAt } from "../../disk/read-at.ts";
import { readMediaIndex } from "../../formats/media-index.ts";
import type { Performer, StepContext } from "../step.ts";
import { resolveArgument } from "../words.ts";

type Described = {
  readonly media: DescribedMedia;
  readonly index: MediaIndex | undefined;
  readonly playlist: string;
  readonly rate: Measured;
};

/** Reads where the segments of each rendition lie, and writes manifests over them. */
export const performDescribeMedia: Performer<"describe_media"> = async ({ media, mpd, master }, context) => {
  const { scratch, log, signal } = context;
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const write = (name: string, text: string) => writeFile(join(scratch, name), text, { flag: "wx" });
  const described: Described[] = [];
  for (const each of media) {
    signal.throwIfAborted();
    described.push(await describe(each, context));
  }
  const target = sharedTarget(
    described.flatMap(({ media: each, playlist }) => (each.kind === "text" ? [] : [playlist])),
  );
  for (const { media: each, playlist } of described)
    if (each.playlist && each.layout !== "playlist") await write(each.playlist, withTarget(playlist, target));
  if (mpd) await write(mpd, dashManifest(described));
  if (master) {
    const seen = described.map((each) => each.media);
    const rates = described.map((each) => [playlistAddress(each.media) ?? "", each.rate] as const);
    await write(master.name, masterPlaylist(recipeFromProbedMedia(master.recipe, seen), new Map(rates)));
  }
  log.line(`described ${media.length} renditions`);
};

const describe = async (media: DescribedMedia, context: StepContext): Promise<Described> => {
  const layout = await layouts[media.layout](media, context);
  const isSaid = "asset" in media.from || media.kind === "text";
  const codecs = layout.index ? await codecsIn(layout.first, layout.index) : undefined;
  const told = codecs === undefined ? media : { ...media, codecs };
  const seen = isSaid ? told : withProbedFacts(told, await factsOf(layout.first, context));
  const rate = measurePlaylist(layout.playlist, (url) => layout.sizes.get(url) ?? 0);
  return { media: seen, index: layout.index, playlist: layout.playlist, rate };
};

type Layout = {
  readonly index?: MediaIndex;
  readonly playlist: string;
  /** The path of a file to learn from what the media are like. */
  readonly first: string;
  /** Of files that are whole segments, by their addresses in the playlist. */
  readonly sizes: ReadonlyMap<string, number>;
};

const layouts: {
  readonly [L in DescribedMedia["layout"]]: (media: DescribedMedia, context: StepContext) => Promise<Layout>;
} = {
  fragments: async ({ from, hlsUrl }, context) => {
    const path = resolveArgument(from, context);
    const index = await readMediaIndex(path, nameIn(from, context), "out" in from);
    return { index, playlist: mediaPlaylist(index, hlsUrl), first: path, sizes: new Map() };
  },
  segments: async ({ from, hlsUrl, list = "" }, context) => {
    const folder = dirname(resolveArgument(from, context));
    const files = parseSegmentList(await readFile(join(context.scratch, list), "utf8"), streamOffset);
    const playlist = filesPlaylist(files, hlsUrl);
    return { playlist, ...(await filesOf(playlist, folder)) };
  },
  playlist: async ({ from }, context) => {
    const path = resolveArgument(from, context);
    const playlist = await readFile(path, "utf8");
    return { playlist, ...(await filesOf(playlist, dirname(path))) };
  },
  text: async ({ from, hlsUrl, seconds = 0 }, context) => {
    const path = resolveArgument(from, context);
    const playlist = textPlaylist(hlsUrl, seconds);
    return { playlist, first: path, sizes: new Map([[hlsUrl, (await stat(path)).size]]) };
  },
};

/** The segments that a playlist names, which lie in one folder. */
const filesOf = async (playlist: string, folder: string): Promise<Pick<Layout, "first" | "sizes">> => {
  const urls = playlist.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const pathOf = (url: string) => join(folder, decodeURIComponent(url.replace(/^.*\//, "")));
  const sizes = await Promise.all(urls.map(async (url) => [url, (await stat(pathOf(url))).size] as const));
  const [first] = urls;
  if (first === undefined) throw new TaskError("media", "a playlist has no segments");
  return { first: pathOf(first), sizes: new Map(sizes) };
};

/** What the boxes before the first fragment tell of all tracks; undefined if they tell nothing. */
const codecsIn = async (path: string, { head, index }: MediaIndex): Promise<string | undefined> => {
  await using file = await open(path, "r");
  const bytes = await createReadAt(file)(0, Math.min(index?.from ?? head, mostHeader));
  const found = [...new Set(codecParameters(bytes))];
  return found.length > 0 ? found.join(",") : undefined;
};

/** No header of a track is as long. */
const mostHeader = 4 * 1024 * 1024;

const nameIn = (from: DescribedMedia["from"], { paths }: StepContext): string =>
  ("asset" in from ? paths.inputs.get(from.asset)?.uri : paths.outputs.get(from.out)?.output.name) ?? "";

/** The first pictures tell whether captions lie in them. */
const factsOf = async (path: string, { tools, signal }: StepContext) =>
  tools.probe({ path, size: (await stat(path)).size, name: path, signal, peek: true });
