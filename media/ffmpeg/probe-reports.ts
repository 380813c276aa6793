import { messageOf } from "../../shared/basics/errors.ts";
import type { MediaFacts } from "../../shared/model/asset.ts";
import { sourceError } from "../../shared/model/failure.ts";
import { parseProbeWithFirstPackets, withFirstPackets } from "./first-packets.ts";
import { parseProbe } from "./probe.ts";

/** `facts`: of the file. With `peek`, `seen` are those with what the first frames show, where they show the main video. */
export type ProbeReport = { readonly facts: MediaFacts; readonly seen?: MediaFacts | undefined };

type Report = {
  readonly json: string;
  readonly size: number;
  readonly name: string;
  readonly peek: boolean;
  /** Another report about the first frames alone, of the file with these facts. */
  readonly of?: MediaFacts;
};

/** ffprobe's JSON about a foreign file. Throws TaskError `source` where it cannot be read. */
export const readProbeReport = ({ json, size, name, peek, of }: Report): ProbeReport => {
  if (of) return { facts: of, seen: withFirstPackets(of, json) };
  const facts = readFacts(json, { size, name });
  return { facts, ...(peek && { seen: parseProbeWithFirstPackets(facts, json) }) };
};

const readFacts = (json: string, { size, name }: { size: number; name: string }): MediaFacts => {
  try {
    return parseProbe(json, size);
  } catch (error) {
    throw sourceError(`${name}: cannot read the output of ffprobe: ${messageOf(error)}`);
  }
};
