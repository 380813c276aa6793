/** The attributes of a tag; quotes are taken off, and `quoted` names those that had them. */
export type Attributes = Readonly<Record<string, string>>;

export type Tag = { readonly name: string; readonly value: string; readonly attributes: Attributes };

/** A line of a playlist with the tags that stand before it. */
export type Entry = { readonly uri: string; readonly tags: readonly Tag[] };

export type Playlist = {
  readonly isMaster: boolean;
  readonly tags: readonly Tag[];
  readonly entries: readonly Entry[];
  readonly faults: readonly string[];
};

const attribute = /([A-Z0-9-]+)=("[^"\r\n]*"|[^,"\s][^,"]*)(,|$)/y;

/** An attribute list (RFC 8216, 4.2); undefined if it is not one. */
export const attributesOf = (text: string): Attributes | undefined => {
  const found: Record<string, string> = {};
  attribute.lastIndex = 0;
  while (attribute.lastIndex < text.length) {
    const [, name = "", value = ""] = attribute.exec(text) ?? [];
    if (name === "" || name in found) return undefined;
    found[name] = value.replace(/^"(.*)"$/, "$1");
  }
  return found;
};

const withLists = /^EXT-X-(MEDIA|STREAM-INF|I-FRAME-STREAM-INF|MAP|KEY|SESSION-KEY|SESSION-DATA|DATERANGE|START)$/;
const perEntry = /^(EXTINF|EXT-X-(BYTERANGE|KEY|MAP|STREAM-INF|DISCONTINUITY|PROGRAM-DATE-TIME|DATERANGE))$/;

/** Tags that may stand once. */
const single = ["EXT-X-VERSION", "EXT-X-TARGETDURATION", "EXT-X-PLAYLIST-TYPE", "EXT-X-ENDLIST"];

/** What a playlist says, with what is wrong in its form. */
export const parsePlaylist = (text: string): Playlist => {
  const [tags, entries, waiting, faults]: [Tag[], Entry[], Tag[], string[]] = [[], [], [], []];
  const [first = "", ...lines] = text.split(/\r?\n/);
  if (first.trim() !== "#EXTM3U") faults.push("does not begin with #EXTM3U");
  for (const line of lines.filter((each) => each !== "" && !/^#(?!EXT)/.test(each))) {
    if (!line.startsWith("#")) {
      entries.push({ uri: line, tags: waiting.splice(0) });
      continue;
    }
    const tag = tagOf(line, faults);
    (perEntry.test(tag.name) ? waiting : tags).push(tag);
  }
  if (waiting.length > 0) faults.push(`${waiting.map(({ name }) => name).join(", ")} at the end without a line`);
  for (const name of single)
    if (tags.filter((tag) => tag.name === name).length > 1) faults.push(`${name} stands twice`);
  const ofMaster = [...tags, ...entries.flatMap((each) => each.tags)];
  const isMaster = ofMaster.some(({ name }) => /^EXT-X-(MEDIA|STREAM-INF|I-FRAME-STREAM-INF)$/.test(name));
  return { isMaster, tags, entries, faults };
};

const tagOf = (line: string, faults: string[]): Tag => {
  const [, name = "", value = ""] = /^#([^:]+):?(.*)$/.exec(line) ?? [];
  const attributes = withLists.test(name) ? attributesOf(value) : {};
  if (!attributes) faults.push(`${name} has no attribute list: ${value}`);
  return { name, value, attributes: attributes ?? {} };
};

/** The value of a tag that stands once. */
export const saidBy = ({ tags }: Pick<Playlist, "tags">, name: string): string | undefined =>
  tags.find((tag) => tag.name === name)?.value;

/** The lowest version that has all that a playlist uses (RFC 8216, 7). */
export const neededVersion = ({ tags, entries }: Playlist): number => {
  const all = [...tags, ...entries.flatMap((each) => each.tags)];
  const has = (name: string, test: (tag: Tag) => boolean = () => true) =>
    all.some((tag) => tag.name === name && test(tag));
  const isFrames = has("EXT-X-I-FRAMES-ONLY");
  if (has("EXT-X-MEDIA", ({ attributes }) => attributes["INSTREAM-ID"]?.startsWith("SERVICE") === true)) return 7;
  if (has("EXT-X-MAP")) return isFrames ? 5 : 6;
  if (has("EXT-X-KEY", ({ attributes }) => "KEYFORMAT" in attributes)) return 5;
  if (has("EXT-X-BYTERANGE") || isFrames) return 4;
  if (has("EXTINF", ({ value }) => /^\d+\.\d/.test(value))) return 3;
  return has("EXT-X-KEY", ({ attributes }) => "IV" in attributes) ? 2 : 1;
};

/** Whether it is written as RFC 5646 asks: the shortest code, in its usual letters. */
export const isLanguageTag = (language: string): boolean => {
  try {
    return Intl.getCanonicalLocales(language)[0] === language;
  } catch {
    return false;
  }
};
