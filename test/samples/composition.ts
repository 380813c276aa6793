import { linkSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFile, makeMaster, masterFor } from "./masters.ts";

/** Whether a name is that of an IMF composition, which is a text with track files beside it. */
export const isComposition = (name: string): boolean => /^CPL_.*\.xml$/.test(name);

/** Writes a composition of two seconds: its picture is a master's, its sound one channel of another. */
export const placeComposition = async (path: string, masters: string): Promise<void> => {
  const picture = await made("picture.mxf", masters);
  const channel = ["-af", "pan=mono|c0=c0", "-t", "2", "-c:a", "pcm_s24le", "-f", "mxf_opatom"];
  const sound = await makeFile(masters, "sound", "mxf", ["-i", await made("sound.wav", masters), ...channel]);
  const folder = dirname(path);
  for (const [id, from] of Object.entries({ picture, sound })) {
    rmSync(join(folder, `${id}.mxf`), { force: true });
    linkSync(from, join(folder, `${id}.mxf`));
  }
  writeFileSync(join(folder, "ASSETMAP.xml"), assetMap);
  writeFileSync(path, composition);
};

const made = (name: string, masters: string): Promise<string> => {
  const master = masterFor(name);
  if (!master) throw new Error(`there is no master for ${name}`);
  return makeMaster(master, masters);
};

const asset = (id: string) =>
  `<Asset><Id>urn:uuid:${id}</Id><ChunkList><Chunk><Path>${id}.mxf</Path></Chunk></ChunkList></Asset>`;
const assetMap = `<?xml version="1.0"?><AssetMap><AssetList>${asset("picture")}${asset("sound")}</AssetList></AssetMap>`;

const track = (kind: string, id: string, rate: string, units: number) =>
  `<${kind}><ResourceList><Resource><EditRate>${rate}</EditRate><IntrinsicDuration>${units}</IntrinsicDuration>
   <EntryPoint>0</EntryPoint><SourceDuration>${units}</SourceDuration><TrackFileId>urn:uuid:${id}</TrackFileId></Resource>
   </ResourceList></${kind}>`;

const composition = `<?xml version="1.0"?><CompositionPlaylist><EditRate>24 1</EditRate><SegmentList><Segment><SequenceList>
  ${track("MainImageSequence", "picture", "24 1", 48)}
  ${track("MainAudioSequence", "sound", "48000 1", 96_000)}
  </SequenceList></Segment></SegmentList></CompositionPlaylist>`;
