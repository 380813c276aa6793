import { ask, askAndNotRead, keepSockets, readSlowly, shout, wire } from "./means.ts";
import { jobOf, type Kinds, read, repeated, submit } from "./ways.ts";
import { element } from "./world.ts";

const allJobs = "filters[status][]=queued&filters[status][]=active&filters[status][]=completed";
/** Definitions that are as long as they may become. */
const long = { long: "{{half}}{{half}}", half: "x".repeat(49_000) };

/** What ordinary programs do at their worst. */
export const programKinds = {
  "event streams that nobody reads": {
    who: "program",
    does: (world) =>
      Promise.all([
        askAndNotRead(world, 300, wire("/v1/events", world.program)),
        submit(world, 2, jobOf({ elements: [element(1)] })),
      ]),
  },
  "2,000 event streams that come back for everything": {
    who: "program",
    does: (world) =>
      keepSockets(
        world,
        2000,
        (socket) => void socket.resume().write(wire("/v1/events", { ...world.program, "last-event-id": "1-0" })),
      ),
  },
  "large lists that nobody reads": {
    who: "program",
    does: (world) => askAndNotRead(world, 100, wire(`/v1/jobs/${world.largeJob}/definition`, world.program)),
  },
  "pipelines of /jobs/count": {
    who: "program",
    does: (world) => shout(world, 4, wire("/v1/jobs/count", world.program).repeat(50)),
  },
  "many small jobs": { who: "program", does: (world) => submit(world, 32, jobOf({ elements: [element(1)] })) },
  "jobs of 900 elements": {
    who: "program",
    does: (world) => submit(world, 4, jobOf({ elements: repeated(900, (nr) => element(String(nr))) })),
  },
  "jobs of 4 MB": {
    who: "program",
    does: (world) =>
      submit(world, 4, jobOf({ elements: [element(1)], junk: repeated(200_000, (nr) => nr * 1_000_003) })),
  },
  "jobs of many keys": {
    who: "program",
    does: (world) =>
      submit(world, 4, jobOf(Object.fromEntries(repeated(150_000, (nr) => [`key${nr}`, nr]) as [string, number][]))),
  },
  "jobs that connect lists with lists": {
    who: "program",
    does: (world) => {
      const all = repeated(900, (nr) => ({ element: `e${nr}` }));
      return submit(
        world,
        4,
        jobOf({
          elements: repeated(900, (nr) => element(String(nr))),
          connections: [{ from: all, to: { success: all } }],
        }),
      );
    },
  },
  "jobs of almost known names": {
    who: "program",
    does: (world) =>
      submit(
        world,
        4,
        jobOf({
          elements: repeated(900, (nr) => element(String(nr))),
          connections: repeated(900, (nr) => ({
            from: [{ element: `f${nr}` }],
            to: { success: [{ element: `g${nr}` }] },
          })),
        }),
      ),
  },
  "jobs of unknown kinds": {
    who: "program",
    does: (world) =>
      submit(
        world,
        4,
        jobOf({ elements: repeated(20_000, (nr) => ({ uid: `e${nr}`, kind: "transcoed", payload: {} })) }),
      ),
  },
  "dry runs of large jobs": {
    who: "program",
    does: (world) =>
      submit(world, 4, jobOf({ elements: repeated(900, (nr) => element(String(nr))) }, { dry_run: true })),
  },
  "dry runs of long expressions": {
    who: "program",
    does: (world) =>
      submit(
        world,
        4,
        jobOf(
          {
            elements: repeated(200, (nr) => ({
              ...element(String(nr)),
              name: `{${"(1+".repeat(300)}1${")".repeat(300)}}`,
            })),
          },
          { dry_run: true },
        ),
      ),
  },
  "lists of all jobs, filtered and sorted": {
    who: "program",
    does: (world) =>
      read(
        world,
        16,
        `/v1/jobs/info?take=1000&sort_field=priority&order=desc&fields[]=id&fields[]=name&fields[]=status&fields[]=progress&${allJobs}`,
      ),
  },
  "tasks of a large job": { who: "program", does: (world) => read(world, 8, `/v1/jobs/${world.largeJob}/tasks`) },
  "results of a large job": { who: "program", does: (world) => read(world, 8, `/v1/jobs/${world.largeJob}/result`) },
  "calls on all jobs at once": {
    who: "program",
    does: (world) =>
      ask(world, 8, (nr) => ({
        ...{ method: "POST", path: "/v1/jobs/actions", headers: world.program },
        body: JSON.stringify({ action: nr % 2 === 0 ? "pause" : "resume", ids: repeated(10_000, (id) => `${id}`) }),
      })),
  },
  "the whole interface, again and again": { who: "program", does: (world) => read(world, 16, "/v1/openapi.json") },
  "presets as large as they may be": {
    who: "program",
    does: (world) =>
      ask(world, 4, (nr) => ({
        ...{ method: "POST", path: "/v1/presets", headers: world.program },
        body: JSON.stringify({
          key: `worst ${nr % 50}`,
          name: "worst",
          kind: "transcode",
          payload: { junk: "x".repeat(200_000) },
        }),
      })),
  },
  "presets and definitions in each other": {
    who: "program",
    does: (world) =>
      submit(
        world,
        4,
        jobOf(
          { elements: repeated(900, (nr) => ({ uid: `e${nr}`, kind: "source", preset: { key: "wide" } })) },
          { definitions: long },
        ),
      ),
  },
  "names in names in long texts": {
    who: "program",
    does: (world) =>
      submit(
        world,
        4,
        jobOf(
          { elements: [element(1)] },
          { user_data: `${"x".repeat(900_000)}${"{{a".repeat(90)}b${"}}".repeat(90)}`, definitions: { ab: "b" } },
        ),
      ),
  },
  "jobs that simulate thousands of tasks": {
    who: "program",
    does: (world) =>
      submit(
        world,
        2,
        jobOf(
          { elements: repeated(300, (nr) => element(String(nr))) },
          { schema: "api_test", api_test: { queued_sec: 0, running_sec: 0 } },
        ),
      ),
  },
  "slow readers of a large job": {
    who: "program",
    does: (world) => readSlowly(world, 200, wire(`/v1/jobs/${world.largeJob}/definition`, world.program)),
  },
  "slow readers of event streams": {
    who: "program",
    does: (world) =>
      Promise.all([
        readSlowly(world, 90, wire("/v1/events", world.program)),
        submit(world, 2, jobOf({ elements: [element(1)] })),
      ]),
  },
  "retries of a large job": {
    who: "program",
    does: (world) =>
      ask(world, 8, (nr) => ({
        ...{ method: nr % 2 === 0 ? "PUT" : "POST", headers: world.program },
        path: `/v1/jobs/${world.largeJob}/${nr % 2 === 0 ? "stop" : "retry"}`,
        body: nr % 2 === 0 ? "{}" : JSON.stringify({ scope: "all" }),
      })),
  },
  "logins without end": {
    who: "program",
    does: (world) =>
      ask(world, 16, () => ({
        ...{ method: "POST", path: "/v1/login", headers: world.program, body: JSON.stringify(world.user) },
      })),
  },
} as const satisfies Kinds;
