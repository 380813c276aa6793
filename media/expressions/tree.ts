import type { BinaryOperator, UnaryOperator } from "./operators.ts";

/** A parsed expression. It is plain data: nothing in it can be executed. */
export type Tree =
  | { readonly is: "literal"; readonly value: number | string | boolean }
  | { readonly is: "name"; readonly name: string }
  | { readonly is: "member"; readonly of: Tree; readonly name: string }
  | { readonly is: "item"; readonly of: Tree; readonly index: Tree }
  | { readonly is: "call"; readonly name: string; readonly args: readonly Tree[] }
  | { readonly is: "method"; readonly of: Tree; readonly name: string; readonly args: readonly Tree[] }
  | { readonly is: "unary"; readonly operator: UnaryOperator; readonly operand: Tree }
  | { readonly is: "binary"; readonly operator: BinaryOperator; readonly left: Tree; readonly right: Tree }
  | { readonly is: "choice"; readonly condition: Tree; readonly yes: Tree; readonly no: Tree };

/** The parts directly below a node. */
export const partsOf = (tree: Tree): readonly Tree[] => {
  switch (tree.is) {
    case "literal":
    case "name":
      return [];
    case "member":
      return [tree.of];
    case "item":
      return [tree.of, tree.index];
    case "call":
      return tree.args;
    case "method":
      return [tree.of, ...tree.args];
    case "unary":
      return [tree.operand];
    case "binary":
      return [tree.left, tree.right];
    case "choice":
      return [tree.condition, tree.yes, tree.no];
  }
};

/** All names that begin a path in an expression: `source`, `bitrate_kb`, `text_w`. */
export const namesOf = (tree: Tree): string[] => [
  ...new Set(tree.is === "name" ? [tree.name] : partsOf(tree).flatMap(namesOf)),
];
