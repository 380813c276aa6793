import type { MarkedToken, Token } from "marked";

/** What somebody reads of these tokens, without markup. */
export const plainText = (tokens: readonly Token[]): string =>
  tokens.map((token) => textOf(token as MarkedToken)).join(""); // no extensions: all tokens are marked's own

const textOf = (token: MarkedToken): string => {
  switch (token.type) {
    case "html":
    case "def":
    case "space":
    case "hr":
      return " ";
    case "br":
      return " ";
    case "image":
      return ` ${token.text} `;
    case "list":
      return token.items.map((item) => `${plainText(item.tokens)} `).join("");
    case "table":
      return [token.header, ...token.rows]
        .map((row) => row.map((cell) => `${plainText(cell.tokens)} `).join(""))
        .join("");
    case "code":
      return `${token.text} `;
    case "paragraph":
    case "blockquote":
    case "heading":
    case "list_item":
      return `${plainText(token.tokens)} `;
    default:
      return "tokens" in token && token.tokens ? plainText(token.tokens) : "text" in token ? token.text : "";
  }
};
