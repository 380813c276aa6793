import type { AnyElement } from "./element.ts";
import * as kinds from "./kinds.ts";

export const elements: readonly AnyElement[] = Object.values(kinds);

const byKind = new Map(elements.map((element) => [element.kind, element]));

export const elementOf = (kind: string): AnyElement | undefined => byKind.get(kind);

export const elementKinds: readonly string[] = [...byKind.keys()];
