import { xmlText } from "../../shared/basics/xml-text.ts";
import type { DashNames } from "../../shared/work/steps/place.ts";
import { completeDash } from "./complete-dash.ts";
import { withDashNames } from "./dash-names.ts";

/** How references of a manifest become addresses; undefined ones stay as they are. */
export type Rewriting = {
  readonly as: "hls" | "dash";
  /** Templates that hold `{media_file}`. */
  readonly media?: string | undefined;
  readonly playlists?: string | undefined;
  /** How long the one segment of a playlist lasts. */
  readonly seconds?: number | undefined;
  /** What a DASH manifest is to say of the programme. */
  readonly information?: Information | undefined;
  readonly names?: DashNames | undefined;
};

type Information = Readonly<Partial<Record<"title" | "source" | "copyright" | "url", string | undefined>>>;

/** The manifest with the addresses that its files will have. */
export const rewriteManifest = (text: string, rewriting: Rewriting): string =>
  rewriting.as === "hls" ? rewriteHls(text, rewriting) : rewriteDash(text, rewriting);

const rewriteHls = (text: string, rewriting: Rewriting): string =>
  withTables(lasting(text, rewriting.seconds))
    .split("\n")
    .filter((line) => !line.startsWith("## ")) // the tool's advertisement
    .map((line) => {
      if (line.trim() === "") return line;
      if (!line.startsWith("#")) return addressOf(line.trim(), rewriting);
      // A key's address was complete when the segments were made.
      if (/^#EXT-X-(SESSION-)?KEY:/.test(line)) return line;
      return line.replace(/\bURI="([^"]*)"/, (_whole, uri: string) => `URI="${addressOf(uri, rewriting)}"`);
    })
    .join("\n");

/** Key frames of a transport stream need its tables, which stand before the first of them (RFC 8216, 4.3.3.6). */
const withTables = (text: string): string => {
  if (!/^#EXT-X-I-FRAMES-ONLY/m.test(text) || /^#EXT-X-MAP:/m.test(text)) return text;
  const [whole, at = "0", name = ""] = /^#EXTINF:.*\n#EXT-X-BYTERANGE:\d+@(\d+)\n(.+\.ts)$/m.exec(text) ?? [];
  if (whole === undefined || Number(at) === 0) return text;
  return text.replace(whole, () => `#EXT-X-MAP:URI="${name}",BYTERANGE="${at}@0"\n${whole}`);
};

/** Subtitles end with their last text, but players expect all playlists to last as long as the film. */
const lasting = (text: string, seconds: number | undefined): string => {
  if (seconds === undefined || text.match(/^#EXTINF:/gm)?.length !== 1) return text;
  return text
    .replace(/^#EXT-X-TARGETDURATION:.*$/m, `#EXT-X-TARGETDURATION:${Math.ceil(seconds)}`)
    .replace(/^#EXTINF:[^,]*,/m, `#EXTINF:${seconds.toFixed(3)},`);
};

const rewriteDash = (text: string, rewriting: Rewriting): string =>
  completeDash(rewriting.names ? withDashNames(text, rewriting.names) : text)
    .replace(/<!--[\s\S]*?-->\n?/, "")
    .replace(/<MPD\b[^>]*>/, (open) => `${open}${informationOf(rewriting.information)}`)
    .replace(/<BaseURL>([^<]*)<\/BaseURL>/g, (_whole, uri: string) => `<BaseURL>${inXml(uri, rewriting)}</BaseURL>`)
    .replace(
      /\b(media|initialization)="([^"]*)"/g,
      (_whole, name: string, uri: string) => `${name}="${inXml(uri, rewriting)}"`,
    );

/** The element that stands first in a manifest. */
const informationOf = (said: Information | undefined): string => {
  if (!said) return "";
  const element = (name: string, text: string | undefined) =>
    text === undefined ? "" : `\n    <${name}>${xmlText(text)}</${name}>`;
  const url = said.url === undefined ? "" : ` moreInformationURL="${xmlText(said.url)}"`;
  const inside = `${element("Title", said.title)}${element("Source", said.source)}${element("Copyright", said.copyright)}`;
  return `\n  <ProgramInformation${url}>${inside}\n  </ProgramInformation>`;
};

const inXml = (uri: string, rewriting: Rewriting): string => {
  const plain = uri.replaceAll("&amp;", "&");
  return xmlText(addressOf(plain, rewriting));
};

const absolute = /^[a-z][a-z0-9+.-]*:/i;

const addressOf = (name: string, { media, playlists }: Rewriting): string => {
  if (absolute.test(name)) return name;
  const template = name.endsWith(".m3u8") ? playlists : media;
  return template === undefined ? name : template.replaceAll("{media_file}", name);
};
