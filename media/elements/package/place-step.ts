import { toNumber } from "../../../shared/basics/rational.ts";
import type { Step } from "../../../shared/work/work.ts";
import { buildHlsMaster } from "./hls-master.ts";
import { playlistNames } from "./outputs.ts";
import type { PackagingContext, PackagingSteps } from "./packaging.ts";
import { lengthOf, type Rendition } from "./renditions.ts";
import { smoothNames } from "./smooth.ts";

/** The step that moves media to their outputs, and gives manifests their final addresses. */
export const buildPlaceStep = (making: PackagingContext, made: PackagingSteps): Step => {
  const { kinds, places, context } = making;
  const media = (template: string | undefined) => (template && !made.isAddressed ? { media: template } : {});
  const rewriting = { as: "hls" as const, ...media(places.mediaFromPlaylists) };
  const information = informationOf(context.payload);
  const seconds = toNumber(lengthOf(making.renditions));
  const texts = seconds > 0 ? making.renditions.filter(isText).map((each) => making.names(each).playlist) : [];
  return {
    do: "place",
    id: "place",
    moves: [
      ...made.media.map((name) => ({ from: name, to: `media_${name}` })),
      ...made.keys.map(({ name }) => ({ from: name, to: `key_${name}` })),
      ...(kinds.includes("smooth")
        ? [
            { from: smoothNames.client, to: "smooth_client" },
            { from: smoothNames.server, to: "smooth" },
          ]
        : []),
    ],
    manifests: [
      ...playlistNames(making, made).map((name) => ({
        ...{ from: name, to: `playlist_${name}` },
        rewriting: { ...rewriting, ...(texts.includes(name) && { seconds }) },
      })),
      ...(made.mpd
        ? [
            {
              from: made.mpd,
              to: "dash",
              rewriting: { as: "dash", ...media(places.mediaFromDash), information, names: dashNamesOf(making, made) },
            } as const,
          ]
        : []),
    ],
    ...(kinds.includes("hls") && {
      master: {
        to: "hls",
        recipe: buildHlsMaster(making, made),
        rewriting: { as: "hls" as const, ...(places.playlistsFromMaster && { playlists: places.playlistsFromMaster }) },
      },
    }),
  };
};

/** Of a manifest that a program wrote; ours has them already. */
const dashNamesOf = ({ renditions, said, names }: PackagingContext, { isAddressed }: PackagingSteps) => {
  if (isAddressed) return undefined;
  const known = renditions.flatMap((each) => {
    const found = said.get(each);
    return found ? [{ ...found, media: names(each).media.replace(/%0\dd/, "$Number$&$") }] : [];
  });
  const labels = new Map(known.flatMap(({ word, label }) => (label === undefined ? [] : [[word, label] as const])));
  return {
    ids: known.map(({ media, id }) => ({ media, id })),
    labels: [...labels].map(([word, label]) => ({ word, label })),
  };
};

const isText = ({ kind }: Rendition): boolean => kind === "text";

/** What a DASH manifest says about the programme. */
const informationOf = ({ title, author, copyright, info_url }: PackagingContext["context"]["payload"]) => {
  const said = { title, source: author, copyright, url: info_url };
  const entries = Object.entries(said).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
};
