import { fenceKey } from "../../../shared/protocol/messages.ts";
import { isTempName } from "../../../shared/work/temp-names.ts";
import type { Intent } from "../../../shared/work/work.ts";
import type { FolderNode, Node } from "../system/volume.ts";
import type { JobPlan } from "../world/job-plan.ts";
import { agentDir, shareAt } from "../world/places.ts";
import { identityOf } from "./identity.ts";
import type { Invariant } from "./invariant.ts";
import { storeOf } from "./requests.ts";

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const isHidden = (path: string): boolean => path.split("/").some(isTempName);

/** All paths below a folder. */
const pathsBelow = (folder: FolderNode, at: string): (readonly [string, Node])[] =>
  [...folder.names].flatMap(([name, node]) => [
    [`${at}/${name}`, node] as const,
    ...(node.kind === "folder" ? pathsBelow(node, `${at}/${name}`) : []),
  ]);

const filesBelow = (folder: FolderNode, at: string) =>
  pathsBelow(folder, at).flatMap(([path, node]) => (node.kind === "file" ? [[path, node.bytes] as const] : []));

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

const isOneOf = (files: ReadonlyMap<string, Buffer>, bytes: Buffer): boolean =>
  [...files.values()].some((each) => each.equals(bytes));

/** No other file of these has its bytes. */
const isOnly = ([path, bytes]: readonly [string, Buffer], _at: number, all: readonly (readonly [string, Buffer])[]) =>
  all.every(([other, content]) => other === path || !content.equals(bytes));

/** What is wrong in the folders of a job's targets. */
const wrongWith = (id: number, { targets, isInAnyOrder }: JobPlan, files: ReadonlyMap<string, Buffer>): string[] => {
  const folders = new Set([...targets.keys()].map(folderOf));
  const found = [...files].filter(([path]) => [...folders].some((folder) => path.startsWith(`${folder}/`)));
  const missing = [...targets.keys()]
    .filter((path) => !files.has(path))
    .map((path) => `job ${id} does not show ${path}`);
  const wrong = found.flatMap(([path, bytes]) => {
    const wanted = targets.get(path);
    if (!wanted) return [`job ${id} shows ${path} beside its targets`];
    const isAnothers = isInAnyOrder && isOneOf(targets, bytes) && found.every(isOnly);
    return isAnothers || wanted.equals(bytes)
      ? []
      : [`job ${id} shows other bytes at ${path} than are made of its sources`];
  });
  return [...missing, ...wrong];
};

export const publishing: readonly Invariant[] = [
  {
    name: "granted bytes",
    says: "No target ever shows bytes that its attempt was not granted to show.",
    check: ({ sent }) => {
      const isOlder = (bytes: Buffer): boolean =>
        sent().some(({ plan }) => [...(plan.before?.values() ?? [])].some((each) => each.equals(bytes)));
      const asked = new Map<string, Intent>();
      const granted = new Set<string>();
      return {
        said: (_node, message) => {
          if (message.type === "commit") asked.set(fenceKey(message.fence), message.intent);
          const intent = message.type === "granted" ? asked.get(fenceKey(message.fence)) : undefined;
          for (const { final, identity } of intent?.files ?? [])
            granted.add(`${decodeURIComponent(new URL(final).pathname)} ${identity}`);
          return [];
        },
        shown: (path, bytes) => {
          if (!path.startsWith(`${shareAt}/out/`) || isHidden(path)) return [];
          const isSetAside = /_org_\d+\.[^/]*$/.test(path) && isOlder(bytes);
          return isSetAside || granted.has(`${path} ${identityOf(bytes)}`)
            ? []
            : [`${path} shows ${bytes.length} bytes without a grant`];
        },
      };
    },
  },
  {
    name: "whole targets",
    says: "When a job has completed, each of its targets shows exactly what one attempt made, whole.",
    check: (seen) => ({
      ended: () => {
        const { jobs } = storeOf(seen);
        const completed = new Set(jobs.flatMap(({ id, status }) => (status === "completed" ? [id] : [])));
        const children = Map.groupBy(jobs, ({ parent_id }) => parent_id);
        /** A watched folder shows what the jobs of its files made. */
        const isMade = (id: number): boolean =>
          completed.has(id) || (children.get(id) ?? []).some(({ status }) => status === "completed");
        const files = new Map(filesBelow(seen.share.root, shareAt));
        return seen.sent().flatMap(({ id, plan, asked }) => {
          if (id === undefined || !isMade(id) || asked.has("delete")) return [];
          return wrongWith(id, plan, files);
        });
      },
    }),
  },
  {
    name: "nothing left behind",
    says: "After the last fault, no temporary file of any attempt stays, and no agent keeps anything of an ended one.",
    check: ({ share, agents }) => ({
      ended: () => [
        ...pathsBelow(share.root, shareAt).flatMap(([path]) =>
          isTempName(nameOf(path)) ? [`${path} is left behind`] : [],
        ),
        ...agents.flatMap(({ name, disk }) =>
          pathsBelow(disk.root, "").flatMap(([path]) =>
            path.startsWith(`${agentDir}/attempts/`) || path.startsWith(`${agentDir}/outbox/`)
              ? [`${name} keeps ${path}`]
              : [],
          ),
        ),
      ],
    }),
  },
];
