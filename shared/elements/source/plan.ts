import { TaskError } from "../../causes.ts";
import { toUri } from "../../location.ts";
import { virtualSourceOfFile } from "../../virtual-source/of-file.ts";
import { rangeOf } from "../../virtual-source/trim.ts";
import type { Plan, PlanContext } from "../element.ts";
import type { SourcePayload } from "./schema.ts";

/** A source makes nothing: it is probed, and what was found flows on. */
export const planSource = ({ uid, payload, factsOf }: PlanContext<SourcePayload>): Plan<never> => {
  if (payload.kind !== "asset_url") {
    throw new TaskError("capability", `${uid}: sources of kind "${payload.kind}" are not implemented yet`);
  }
  const { url, trim } = payload.payload;
  const uri = toUri(url, `${uid}.payload.payload.url`);
  const found = factsOf(uri);
  if (!found) return { need: [{ fact: "probe", uri }] };
  const film = virtualSourceOfFile({ uri, facts: found.facts }, uid);
  const range = rangeOf(trim, { film: film.facts, what: `${uid}.payload.payload.trim` });
  return { tasks: [], assets: [{ version: uid, files: [{ uri, ...found }], range }] };
};
