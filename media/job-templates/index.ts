import { decodeOnce } from "../../shared/files/location.ts";
import { archive } from "./archive.ts";
import { checks } from "./checks.ts";
import { copyFiles } from "./copy-files.ts";
import { dnxMezzanine } from "./dnx-mezzanine.ts";
import type { JobTemplate, TemplateValues } from "./job-template.ts";
import { loudnessFix } from "./loudness-fix.ts";
import { podcast } from "./podcast.ts";
import { proresMezzanine } from "./prores-mezzanine.ts";
import { reviewProxy } from "./review-proxy.ts";
import { thumbnails } from "./thumbnails.ts";
import { webLadder } from "./web-ladder.ts";
import { xdcamHd422 } from "./xdcam-hd422.ts";

/** Every template: adding one is one file and one line here. */
export const jobTemplates: readonly JobTemplate[] = [
  reviewProxy,
  webLadder,
  proresMezzanine,
  dnxMezzanine,
  xdcamHd422,
  loudnessFix,
  podcast,
  archive,
  thumbnails,
  checks,
  copyFiles,
];

/** What a form begins with. */
export const initialValues = ({ fields }: JobTemplate): TemplateValues =>
  Object.fromEntries(fields.map(({ key, initial }) => [key, initial]));

export type JobTemplateRequest = {
  readonly template: JobTemplate;
  readonly values: TemplateValues;
  /** Address of the file: a path, or a URL of a storage. */
  readonly source: string;
  /** Folder that outputs go to. */
  readonly folder: string;
  readonly priority: number;
  /** It starts no earlier. */
  readonly startAfter?: Date | undefined;
};

/** The job that makes a job template of one file. */
export const buildJob = ({
  template,
  values,
  source,
  folder,
  priority,
  startAfter,
}: JobTemplateRequest): Record<string, unknown> => {
  const { elements, connections } = template.make(values, locationOf(folder));
  const name = decodeOnce(source.slice(source.lastIndexOf("/") + 1).replaceAll(/%(?![0-9a-f]{2})/gi, "%25"));
  return {
    name: `${name} - ${template.title}`,
    priority,
    ...(startAfter && { start_after: startAfter.toISOString() }),
    payload: {
      elements: [
        {
          uid: "source",
          kind: "source",
          payload: { kind: "asset_url", payload: { storage_provider: providerOf(source), url: source } },
        },
        ...elements,
      ],
      connections: connections.map(([from, success]) => ({
        from: [{ element: from }],
        to: { success: success.map((element) => ({ element })) },
      })),
    },
  };
};

const locationOf = (folder: string): object => ({ storage_provider: providerOf(folder), path: folder });

/** The provider is the scheme of an address; a path is a file. */
const providerOf = (address: string): string =>
  /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase() ?? "file";
