import { t } from "@lingui/core/macro";
import type { ReachKind, Scope } from "../../../shared/people/scopes.ts";

/** What a program may do, in words. */
export const scopeTexts = (): Readonly<Record<Scope, string>> => ({
  "jobs:read": t`Look at jobs, their tasks, results and events`,
  "jobs:write": t`Submit, change, stop, retry and delete jobs`,
  "presets:read": t`Look at presets`,
  "presets:write": t`Make, replace and delete presets`,
  "nodes:read": t`Look at nodes, compute groups, limits and mounts`,
  "nodes:write": t`Drain, pause, retag and revoke nodes`,
  vault: t`Use and change the credentials vault`,
  settings: t`Change views, compute groups and limits`,
  webhooks: t`Make and change webhooks, which hear of everybody's jobs and of nodes`,
  mounts: t`Change mounts and what jobs may reach over the network, on every node`,
});

/** Whose jobs and presets it reaches, in words. */
export const reachTexts = (): Readonly<Record<ReachKind, string>> => ({
  own: t`what it sent itself`,
  group: t`what its group sent`,
  all: t`everything`,
});
