import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";

type Node = NonNullable<ReturnType<ReturnType<typeof syntaxTree>["resolveInner"]>>;

/** "payload.elements[0].kind" as its parts. */
export const partsOf = (path: string): (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? (name ?? "") : Number(index),
  );

/** The position of a path in a JSON text: its value, or the nearest existing parent. */
export const placeOf = (state: EditorState, path: string): { readonly from: number; readonly to: number } => {
  let node: Node | null = syntaxTree(state).topNode.firstChild;
  let found = node;
  for (const part of partsOf(path)) {
    node = node && childOf(state, node, part);
    if (!node) break;
    found = node;
  }
  // A whole object would underline half of the text: its first line is enough.
  const [from, to] = [found?.from ?? 0, found?.to ?? 0];
  return { from, to: Math.min(to, state.doc.lineAt(from).to) };
};

const childOf = (state: EditorState, node: Node, part: string | number): Node | null => {
  if (typeof part === "number") return node.name === "Array" ? (valuesOf(node)[part] ?? null) : null;
  for (let each = node.firstChild; each; each = each.nextSibling) {
    if (each.name === "Property" && nameOf(state, each) === part) return each.lastChild;
  }
  return null;
};

const valuesOf = (node: Node): Node[] => {
  const values: Node[] = [];
  for (let each = node.firstChild; each; each = each.nextSibling) {
    if (!["[", "]", ",", "⚠"].includes(each.name)) values.push(each);
  }
  return values;
};

const nameOf = (state: EditorState, property: Node): string => {
  const name = property.getChild("PropertyName");
  return name ? state.sliceDoc(name.from + 1, name.to - 1) : "";
};

export type Cursor = {
  /** The path of the object that contains the cursor, or of the value at the cursor. */
  readonly path: readonly (string | number)[];
  readonly is: "name" | "value";
  /** The range to replace: the text between the quotes, or nothing. */
  readonly from: number;
  readonly to: number;
  readonly isQuoted: boolean;
  /** Names that the object already has. */
  readonly taken: readonly string[];
};

/** The part of the JSON at the cursor. */
export const cursorAt = (state: EditorState, at: number): Cursor | undefined => {
  const node = syntaxTree(state).resolveInner(at, -1);
  const isQuoted = node.name === "String" || node.name === "PropertyName";
  const [from, to] = isQuoted ? [node.from + 1, Math.max(node.from + 1, node.to - 1)] : [at, at];
  const object = nearest(node, "Object");
  const property = nearest(node, "Property");
  const isInValue =
    property && object && property.from > object.from && at > (property.getChild("PropertyName")?.to ?? at);
  if (isInValue) return { path: pathOf(state, property), is: "value", from, to, isQuoted, taken: [] };
  if (!object) return undefined;
  const taken = object.getChildren("Property").map((each) => nameOf(state, each));
  return { path: pathOf(state, object), is: "name", from, to, isQuoted, taken };
};

const nearest = (from: Node, name: string): Node | null => {
  for (let node: Node | null = from; node; node = node.parent) if (node.name === name) return node;
  return null;
};

const pathOf = (state: EditorState, from: Node): (string | number)[] => {
  const path: (string | number)[] = [];
  for (let node: Node | null = from; node; node = node.parent) {
    if (node.name === "Property") path.unshift(nameOf(state, node));
    const parent: Node | null = node.parent;
    if (parent?.name === "Array") {
      const place = node;
      path.unshift(valuesOf(parent).findIndex(({ from: begin }) => begin === place.from));
    }
  }
  return path;
};

/** What is not JSON has no path, but the parser knows the line. */
export const lineIn = (message: string): number | undefined => {
  const [, line] = /\bline (\d+)/.exec(message) ?? [];
  return line === undefined ? undefined : Number(line);
};
