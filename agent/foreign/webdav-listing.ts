import { child, childrenNamed, childText, parseXml, type XmlElement, XmlError } from "../../shared/basics/xml.ts";
import { decodeOnce } from "../../shared/files/location.ts";
import { TaskError } from "../../shared/model/failure.ts";

type Seen = { readonly isFile: boolean; readonly size: number; readonly modified: number; readonly tag?: string };
type Listed = { readonly name: string; readonly isFile: boolean; readonly seen: Seen };

/** An answer to PROPFIND of depth 1 (RFC 4918, 9.1), without the folder itself. Throws TaskError `storage`. */
export const readWebdavListing = ({ uri, text }: { readonly uri: string; readonly text: string }): Listed[] => {
  const own = decodeOnce(new URL(uri).pathname.replace(/\/+$/, ""));
  return childrenNamed(rootOf(uri, text), "response").flatMap((response) => {
    const path = URL.parse(childText(response, "href") ?? "", uri)?.pathname.replace(/\/+$/, "");
    if (path === undefined || decodeOnce(path) === own) return [];
    return [listedOf(decodeOnce(path.slice(path.lastIndexOf("/") + 1)), response)];
  });
};

const rootOf = (uri: string, text: string): XmlElement => {
  try {
    return parseXml(text);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new TaskError("storage", `${uri}: the server's listing cannot be read: ${error.message}`);
  }
};

const listedOf = (name: string, response: XmlElement): Listed => {
  const found = childrenNamed(response, "propstat").map((each) => child(each, "prop"));
  const property = (which: string) => found.map((each) => childText(each, which)).find(Boolean);
  const isFile = !found.some((each) => child(each, "resourcetype", "collection"));
  const modified = Date.parse(property("getlastmodified") ?? "") || 0;
  const tag = property("getetag");
  const size = Number(property("getcontentlength") ?? 0);
  return { name, isFile, seen: { isFile, size, modified, ...(tag && { tag }) } };
};
