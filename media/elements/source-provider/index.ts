import type { AnyElement } from "../element.ts";
import { source } from "../source/index.ts";

/** A source in the middle of a job: what came before flows no further, and what it names takes its place. */
export const sourceProvider: AnyElement = { ...source, kind: "source_provider", title: "Source Provider" };
