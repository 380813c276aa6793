import { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";
import { Secret, toRevealedJson } from "../../shared/basics/secret.ts";
import { type TraceSettings, type TracesChange, type TracesView, traceSettings } from "../../shared/outbound/traces.ts";
import { originOf } from "../outbound/shown-address.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Tracing } from "./tracing.ts";

const recordKey = "traces";
/** The settings as a whole are sealed: headers open the collector. */
const stored = z.strictObject({ sealed: z.string() });

type Needs = Pick<Secrets, "store" | "vault"> & {
  readonly tracing: Tracing;
  /** What the environment asks for: it goes before what an owner sets. */
  readonly environment: TraceSettings | undefined;
};

export type Traces = Awaited<ReturnType<typeof openTraces>>;

/** Where an owner wants traces of jobs to go: read at the start, and changed while the farm runs. */
export const openTraces = async ({ store, vault, tracing, environment }: Needs) => {
  const opened = (text: string | undefined): TraceSettings | undefined =>
    text === undefined ? undefined : traceSettings.parse(JSON.parse(vault.open(stored.parse(JSON.parse(text)).sealed)));
  let own = opened(await store.records.get("farm", recordKey));
  const use = (): void => tracing.use(environment ?? own);
  use();

  const view = (): TracesView => {
    const settings = environment ?? own;
    return {
      set_by: environment ? "environment" : own ? "owner" : "nobody",
      collector: settings ? originOf(new Secret(settings.url)) : null,
      headers: Object.keys(settings?.headers ?? {}),
      ...{ sampler: settings?.sampler ?? "parentbased_always_on", ratio: settings?.ratio ?? 1 },
      ...{ waiting: tracing.waiting(), failure: tracing.failure() },
    };
  };
  return {
    view,
    /** Throws AppError CONFLICT where the environment says where traces go. */
    change: async (wanted: TracesChange): Promise<TracesView> => {
      if (environment)
        throw new AppError(
          "CONFLICT",
          "The environment of this coordinator says where traces go (OTEL_EXPORTER_OTLP_…)",
        );
      const { after } = await store.records.change("farm", recordKey, (text) => {
        const next = withChange(opened(text), wanted);
        return next && JSON.stringify({ sealed: vault.seal(toRevealedJson(next)) } satisfies z.input<typeof stored>);
      });
      own = opened(after);
      use();
      return view();
    },
  };
};

/** Pure. Headers that are not given anew go on only to the same collector. */
const withChange = (before: TraceSettings | undefined, wanted: TracesChange): TraceSettings | undefined => {
  const { url, sampler, ratio } = wanted;
  if (url === null) return undefined;
  const isSame = before !== undefined && new URL(before.url).origin === new URL(url).origin;
  const headers = wanted.headers
    ? Object.fromEntries(wanted.headers.map(({ name, value }) => [name, value]))
    : ((isSame ? before.headers : undefined) ?? {});
  return { url, headers, sampler, ratio, service: "mediafarm", attributes: {} };
};
