import { t } from "@lingui/core/macro";
import type { IconName } from "../ui/text/icon.tsx";

/** A page that people go to. The navigation, the keys, the search and More are made from this table. */
export type Place = {
  readonly to:
    | "/overview"
    | "/jobs"
    | "/nodes"
    | "/history"
    | "/farm"
    | "/alerts"
    | "/people"
    | "/audit"
    | "/presets"
    | "/api"
    | "/webhooks"
    | "/account"
    | "/computer";
  readonly word: string;
  /** What is there, where the word alone says too little. More lists the places that have it. */
  readonly about?: string;
  /** Only places with an icon are in the navigation. */
  readonly icon?: IconName;
  /** Behind g, and what that does. */
  readonly key?: readonly [key: string, word: string];
};

const everyones: readonly Place[] = [
  { to: "/overview", word: t`Overview`, icon: "overview", key: ["o", t`Go to the overview`] },
  { to: "/jobs", word: t`Jobs`, icon: "jobs", key: ["j", t`Go to Jobs`] },
  { to: "/nodes", word: t`Nodes`, icon: "nodes", key: ["n", t`Go to Nodes`] },
  {
    to: "/history",
    word: t`History`,
    about: t`History: who did what`,
    icon: "history",
    key: ["h", t`Go to History`],
  },
  { to: "/farm", word: t`Farm`, about: t`Farm: groups, limits, mounts`, icon: "farm", key: ["f", t`Go to Farm`] },
  { to: "/presets", word: t`Presets`, about: t`Presets: what jobs may name by a key` },
  { to: "/api", word: t`API`, about: t`API: what programs may ask` },
  { to: "/webhooks", word: t`Webhooks`, about: t`Webhooks: what programs are told of events` },
];

const account: Place = {
  to: "/account",
  word: t`Account`,
  about: t`Account: your password, language, notices`,
  key: ["a", t`Go to Account`],
};

const owners: readonly Place[] = [
  { to: "/alerts", word: t`Alerts`, about: t`Alerts: who is told when something is wrong` },
  {
    to: "/people",
    word: t`People`,
    about: t`People: who may sign in`,
    icon: "people",
    key: ["p", t`Go to People`],
  },
  { to: "/audit", word: t`Audit`, about: t`Audit: what was changed or refused, and from where` },
  { ...account, about: t`Account: your password, language, notices, API users, OAPI key`, icon: "key" },
];

export const placesFor = (isOwner: boolean): readonly Place[] => [...everyones, ...(isOwner ? owners : [account])];
