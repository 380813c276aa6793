import { parseSync } from "vite";

type Node = { readonly type: string; readonly start: number; readonly [key: string]: unknown };
/** A node's place: what it is in, and as what. */
type Step = { readonly node: Node; readonly key: string };

/** Texts in a file of the pages that nobody could translate, each as `FILE:LINE TEXT`. */
export const bareTexts = (file: string, code: string): string[] => {
  const found: string[] = [];
  const lines = code.split("\n");
  const lineOf = (node: Node) => code.slice(0, node.start).split("\n").length;
  const report = (node: Node, text: string) => {
    // The comment says why a text is none for people.
    const isExcused = [0, 1].some((above) => lines[lineOf(node) - 1 - above]?.includes("// untranslated:"));
    if (!isExcused) found.push(`${file}:${lineOf(node)} ${text.trim().replaceAll(/\s+/g, " ")}`);
  };
  const walk = (node: Node, trail: readonly Step[]) => {
    const text = textOf(node);
    if (text !== undefined && isBare(node, text, trail)) report(node, text);
    for (const [key, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child) && !isLeftOut(node, key)) walk(child, [{ node, key }, ...trail]);
      }
    }
  };
  walk(parseSync(file, code).program as unknown as Node, []); // its own types are a union of a hundred
  return found;
};

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

const textOf = (node: Node): string | undefined => {
  if (node.type === "JSXText" || node.type === "Literal")
    return typeof node.value === "string" ? node.value : undefined;
  if (node.type !== "TemplateLiteral") return undefined;
  return (node.quasis as readonly { readonly value: { readonly cooked: string } }[])
    .map(({ value }) => value.cooked)
    .join("{}");
};

/** A brand is the same in all languages. */
const isLettered = (text: string): boolean => /\p{L}{2}/u.test(text.replaceAll("Mediafarm", ""));

const isBare = (node: Node, text: string, trail: readonly Step[]): boolean => {
  if (!isLettered(text)) return false;
  const [parent] = trail;
  if (node.type === "JSXText")
    return !trail.some(({ node: around }) => isUntouched(around) || isElement(around, ["Trans"]));
  const attribute = trail.find((step) => !isChoice(step))?.node;
  if (attribute?.type === "JSXAttribute") return isTextAttribute(attribute, trail) && !isSample(text);
  const property = parent?.node.type === "Property" && parent.key === "value" ? nameOf(parent.node.key) : "";
  const nearest = trail.find(({ node: around }) => around.type === "Property");
  const isKey = trail.some((step) => (step.node.type !== "Property" || step === nearest) && isForMachines(step));
  return (isWorded(text) || textProperties.has(property)) && !isSample(text) && !isKey;
};

/** What hands a text on as it is. */
const isChoice = ({ node, key }: Step): boolean =>
  node.type === "JSXExpressionContainer" || (/^(Conditional|Logical)Expression$/.test(node.type) && key !== "test");

/** What reads like words for people: a capitalized word, or several words. */
const isWorded = (text: string): boolean =>
  /^\p{Lu}\p{Ll}+(?!\w)/u.test(text) || /\p{L}{2,}[,.;:…]? (\p{L}|\d|\{)|\} \p{L}{2}/u.test(text);

/** Addresses and such, which are examples of themselves. */
const isSample = (text: string): boolean =>
  /^(\(|\{\n|[a-z]+\/[\w-]+)/.test(text) ||
  (!text.includes(" ") && /[:/_]|\w\.\w/.test(text)) ||
  machineWords.has(text);

/** Keys of a keyboard, and names in others' libraries. */
const machineWords = new Set([
  ...["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", "Escape", "Esc", "Home", "End", "Shift"],
  ...["Files", "Object", "Property"],
]);

const textAttributes = new Set([
  ...["title", "aria-label", "aria-description", "placeholder", "label", "alt", "hint", "word", "what", "text"],
  ...["keep", "go", "unit", "count", "advice", "note", "fault"],
]);
const textProperties = new Set(["word", "title", "label", "hint", "text", "advice", "offer", "keep", "go", "means"]);
const machineProperties = new Set([
  ...[
    "key",
    "keys",
    "kind",
    "state",
    "to",
    "type",
    "id",
    "look",
    "tone",
    "icon",
    "queryKey",
    "sort",
    "search",
    "width",
  ],
  ...["className", "url", "method", "example", "fontFamily", "border", "borderLeft", "borderRight", "outline"],
]);
const machineCalls = new Set([
  ...["request", "getRouteApi", "addEventListener", "querySelector", "getElementById", "getItem", "setItem", "Error"],
  ...[
    "split",
    "join",
    "includes",
    "startsWith",
    "endsWith",
    "replace",
    "replaceAll",
    "has",
    "get",
    "set",
    "Set",
    "rereads",
  ],
]);

const isTextAttribute = (attribute: Node, trail: readonly Step[]): boolean => {
  const name = nameOf(attribute.name);
  const element = trail.find(({ node }) => node.type === "JSXOpeningElement")?.node;
  // A button's hint is its key.
  return textAttributes.has(name) && !(name === "hint" && nameOf(element?.name) === "Button");
};

/** Whether a step says that a string below it is a key, an address or the like. */
const isForMachines = ({ node, key }: Step): boolean => {
  if (node.type === "Property") return key === "value" && machineProperties.has(nameOf(node.key));
  if (node.type === "CallExpression" || node.type === "NewExpression")
    return key === "arguments" && machineCalls.has(nameOf(node.callee));
  if (node.type === "BinaryExpression") return node.operator !== "+";
  if (node.type === "JSXAttribute") return !textAttributes.has(nameOf(node.name)) && !holdsTexts.has(nameOf(node.name));
  return node.type === "ThrowStatement" || (node.type === "SwitchCase" && key === "test");
};

/** Attributes whose values are more pages. */
const holdsTexts = new Set([
  "actions",
  "action",
  "aid",
  "empty",
  "item",
  "items",
  "columns",
  "choices",
  "trigger",
  "below",
  "side",
  "rows",
  "to",
  "values",
  "heads",
]);

/** Types, names of modules, keys, and what the macros of texts hold. */
const isLeftOut = (node: Node, key: string): boolean => {
  if (node.type === "TaggedTemplateExpression") return key === "quasi" && nameOf(node.tag) === "t";
  if (node.type === "CallExpression") return key === "arguments" && nameOf(node.callee) === "plural";
  if (isElement(node, ["Plural"])) return true;
  if (/^(Import|Export(Named|All)Declaration)/.test(node.type)) return key === "source";
  if (node.type === "Property") return key === "key";
  if (node.type === "MemberExpression") return key === "property";
  return /^TS(?!As|Satisfies|NonNull)/.test(node.type) || key === "typeAnnotation" || key === "typeArguments";
};

const isElement = (node: Node, names: readonly string[]): boolean =>
  node.type === "JSXElement" && names.includes(nameOf((node.openingElement as Node).name));

/** Code, keys of a keyboard, and what says of itself that nobody translates it. */
const isUntouched = (node: Node): boolean => {
  if (isElement(node, ["code", "kbd", "pre"])) return true;
  if (node.type !== "JSXElement") return false;
  const attributes = (node.openingElement as Node).attributes as readonly Node[];
  return attributes.some((each) => nameOf(each.name) === "translate" && (each.value as Node | null)?.value === "no");
};

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return "";
  if (node.type === "MemberExpression") return nameOf(node.property);
  return String(node.name ?? node.value ?? "");
};
