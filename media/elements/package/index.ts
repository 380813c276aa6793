import { deletingSources } from "../copy/delete-sources.ts";
import { defineElement } from "../element.ts";
import { planPackage } from "./plan.ts";
import { packagePayload } from "./schema.ts";

export const packager = defineElement({
  kind: "package",
  title: "Package",
  effort: 3,
  payload: packagePayload,
  plan: planPackage,
  compile: ({ detail: { assets, outputs, steps, notes } }, { payload, inputs }) => ({
    assets: Object.fromEntries(Object.entries(assets).map(([id, uri]) => [id, { uri }])),
    outputs: Object.fromEntries(outputs),
    steps: [...steps],
    ...(notes.length > 0 && { notes: [...notes] }),
    ...deletingSources(payload.options?.delete_sources, inputs),
  }),
});
