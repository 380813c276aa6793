import { Marked, type Token, type Tokens, type TokensList } from "marked";
import { createAnchors } from "./anchors.ts";
import { escaped } from "./escape.ts";
import { plainText } from "./plain-text.ts";

export type Heading = { readonly depth: number; readonly text: string; readonly anchor: string };
export type Picture = { readonly src: string; readonly width: number; readonly height: number };
/** How a page reaches what it names. Undefined: it is not there, and the page's text says so instead. */
export type Reach = {
  readonly link: (href: string) => string | undefined;
  readonly picture: (href: string) => Picture | undefined;
};

/** A page of Markdown, read once: how it is shown, and what is found in it. */
export type Rendered = {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly { readonly heading: string; readonly anchor: string; readonly text: string }[];
};

/** Markdown as HTML. Raw HTML is shown as the text that it is; comments are left out. */
export const render = (markdown: string, reach: Reach): Rendered => {
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(markdown);
  const headings = headingsOf(tokens);
  const anchors = new Map(headings.map(({ token, anchor }) => [token, anchor]));
  marked.use({ renderer: rendererFor(reach, anchors) });
  return {
    title: headings.find(({ depth }) => depth === 1)?.text ?? "",
    html: marked.parser(tokens),
    headings: headings.map(({ depth, text, anchor }) => ({ depth, text, anchor })),
    sections: sectionsOf(tokens, anchors),
  };
};

type Anchors = ReadonlyMap<Token, string>;

const headingsOf = (tokens: TokensList): (Heading & { readonly token: Token })[] => {
  const anchor = createAnchors();
  return tokens
    .filter((token): token is Tokens.Heading => token.type === "heading")
    .map((token) => {
      const text = plainText(token.tokens).trim();
      return { depth: token.depth, text, anchor: anchor(text), token };
    });
};

const sectionsOf = (tokens: TokensList, anchors: Anchors): Rendered["sections"] => {
  const sections: { heading: string; anchor: string; tokens: Token[] }[] = [];
  for (const token of tokens) {
    if (token.type !== "heading") {
      sections.at(-1)?.tokens.push(token);
      continue;
    }
    const anchor = token.depth === 1 ? "" : (anchors.get(token) ?? "");
    sections.push({ heading: plainText(token.tokens ?? []).trim(), anchor, tokens: [] });
  }
  return sections.map(({ heading, anchor, tokens: inside }) => ({
    ...{ heading, anchor },
    text: plainText(inside).replaceAll(/\s+/g, " ").trim(),
  }));
};

/** Languages of code that somebody would paste somewhere. */
const copied = /^(?:sh|bash|jsonc?|tsx?|po|yaml|ini)$/;

/** One comment and nothing else. */
const comment = /^\s*<!--(?:(?!-->)[\s\S])*-->\s*$/;

const longestWhole = 24;

type Around = { readonly parser: { parseInline(tokens: Token[]): string } };

const rendererFor = (reach: Reach, anchors: Anchors) => ({
  html: ({ text }: Tokens.HTML | Tokens.Tag): string => (comment.test(text) ? "" : escaped(text)),

  heading(this: Around, token: Tokens.Heading): string {
    const { depth, tokens } = token;
    const inside = this.parser.parseInline(tokens);
    const anchor = escaped(anchors.get(token) ?? "");
    if (depth === 1 || anchor === "") return `<h${depth}>${inside}</h${depth}>\n`;
    const name = `Link to “${escaped(plainText(tokens).trim())}”`;
    return `<h${depth} id="${anchor}">${inside} <a class="anchor" href="#${anchor}" aria-label="${name}">#</a></h${depth}>\n`;
  },

  code: ({ text, lang = "" }: Tokens.Code): string => {
    const kind = copied.test(lang) ? ` data-copy="${lang}"` : "";
    const name = /^(?:ba)?sh$/.test(lang) ? "Commands" : "Code";
    return `<div class="code"${kind}><pre tabindex="0" role="group" aria-label="${name}"><code>${escaped(text)}</code></pre></div>\n`;
  },

  codespan: ({ text }: Tokens.Codespan): string => {
    // A flag or a field is read in one piece; what is longer must break on phones.
    const isWhole = text.length <= longestWhole && !text.includes(" ");
    return `<code${isWhole ? ' class="whole"' : ""}>${escaped(text)}</code>`;
  },

  table(this: Around, { header, rows }: Tokens.Table): string {
    const cell = (tag: string, { tokens, align }: Tokens.TableCell) => {
      const inside = this.parser.parseInline(tokens);
      // A head without words names nothing.
      const name = inside === "" ? "td" : tag;
      return `<${name}${name === "th" ? ' scope="col"' : ""}${align ? ` class="${align}"` : ""}>${inside}</${name}>`;
    };
    const row = (tag: string, cells: Tokens.TableCell[]) =>
      `<tr>${cells.map((each) => cell(tag, each)).join("")}</tr>\n`;
    const names = header.map(({ tokens }) => plainText(tokens).trim()).filter((name) => name !== "");
    const head = names.length === 0 ? "" : `<thead>${row("th", header)}</thead>`;
    const body = rows.map((cells) => row("td", cells)).join("");
    const label = escaped(["Table", names.join(", ")].filter((part) => part !== "").join(": "));
    return `<div class="table" tabindex="0" role="group" aria-label="${label}"><table>${head}<tbody>${body}</tbody></table></div>\n`;
  },

  link(this: Around, { href, tokens, autolink }: Tokens.Link): string {
    const inside = this.parser.parseInline(tokens);
    // Addresses within texts, such as those of storage, are no links of the page.
    const to = autolink && !/^https?:/.test(href) ? undefined : reach.link(href);
    return to === undefined ? inside : `<a href="${escaped(to)}">${inside}</a>`;
  },

  image: ({ href, text }: Tokens.Image): string => {
    const found = reach.picture(href);
    if (found === undefined) return escaped(text);
    const { src, width, height } = found;
    return `<img src="${escaped(src)}" alt="${escaped(text)}" width="${width}" height="${height}" loading="lazy">`;
  },
});
