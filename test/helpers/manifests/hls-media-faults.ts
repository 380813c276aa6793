import { type Attributes, isLanguageTag } from "./playlist.ts";

/** Types of renditions, which are the names of the attributes that refer to them too. */
export const types: readonly string[] = ["AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"];

const isCaption = ({ TYPE }: Attributes): boolean => TYPE === "CLOSED-CAPTIONS";

/** What no EXT-X-MEDIA may be (RFC 8216, 4.3.4.1). */
const wrong: readonly (readonly [words: string, is: (media: Attributes) => boolean])[] = [
  ["lacks TYPE, GROUP-ID or NAME", (each) => !types.includes(each.TYPE ?? "") || !each["GROUP-ID"] || !each.NAME],
  ["has no URI", ({ TYPE, URI }) => TYPE === "SUBTITLES" && !URI],
  ["is wrong about INSTREAM-ID", (each) => isCaption(each) !== "INSTREAM-ID" in each],
  ["has a URI", (each) => isCaption(each) && "URI" in each],
  ["is DEFAULT, but not AUTOSELECT", ({ DEFAULT, AUTOSELECT }) => DEFAULT === "YES" && AUTOSELECT !== "YES"],
  ["has FORCED", (each) => "FORCED" in each && each.TYPE !== "SUBTITLES"],
  ["has no CHANNELS", ({ TYPE, CHANNELS }) => TYPE === "AUDIO" && !CHANNELS],
  ["has a LANGUAGE that is no language tag", ({ LANGUAGE }) => LANGUAGE !== undefined && !isLanguageTag(LANGUAGE)],
];

const groupFaults = (group: string, members: readonly Attributes[]): string[] => {
  const chosen = members.filter(({ AUTOSELECT }) => AUTOSELECT === "YES");
  const told = chosen.map((each) =>
    ["LANGUAGE", "ASSOC-LANGUAGE", "FORCED", "CHARACTERISTICS"].map((key) => each[key] ?? "").join("|"),
  );
  const hasOneNameTwice = new Set(members.map(({ NAME }) => NAME)).size < members.length;
  const defaults = members.filter(({ DEFAULT }) => DEFAULT === "YES").length;
  const isUnclear = !group.startsWith("CLOSED-CAPTIONS") && new Set(told).size < told.length;
  return [
    ...(hasOneNameTwice ? [`${group} has one NAME twice`] : []),
    ...(defaults > 1 ? [`${group} has several defaults`] : []),
    ...(isUnclear ? [`${group} has AUTOSELECT members that players cannot tell apart: ${told}`] : []),
  ];
};

/** What is wrong in the renditions that a master playlist offers. */
export const mediaFaults = (media: readonly Attributes[]): string[] => [
  ...media.flatMap((each) =>
    wrong.flatMap(([words, is]) => (is(each) ? [`EXT-X-MEDIA ${each.NAME} ${words}: ${JSON.stringify(each)}`] : [])),
  ),
  ...[...Map.groupBy(media, (each) => `${each.TYPE} ${each["GROUP-ID"]}`)].flatMap(([group, members]) =>
    groupFaults(group, members),
  ),
];
