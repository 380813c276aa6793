/** A job in which the fields beside its elements' payloads are read. */
export type JobBase = { readonly at?: RegExp; readonly job: object };

const source = {
  uid: "src",
  kind: "source",
  payload: { kind: "asset_url", payload: { url: "file:///in/{{name}}.mov" } },
};
const copy = { uid: "copy", kind: "copy", payload: { target: { location: { path: "/out" } } } };
const transcode = { uid: "tc", kind: "transcode", payload: { location: { path: "/out" } }, preset: { key: "one" } };

const jobOf = (elements: readonly object[], more: object = {}) => ({
  ...{ name: "a job", definitions: { name: "a" }, payload: { elements, connections: [] }, ...more },
});

const connections = [
  { from: [{ element: "src" }], to: { success: [{ element: "copy" }], error: [{ element: "copy" }] } },
];

/** A line for each context; the first one serves most. */
export const jobs: readonly JobBase[] = [
  {
    at: /connections/,
    job: {
      ...jobOf([source, copy, { ...copy, uid: "other" }]),
      payload: { elements: [source, copy, { ...copy, uid: "other" }], connections },
    },
  },
  { at: /preset/, job: jobOf([transcode, copy]) },
  { at: /\.task\.retry\./, job: jobOf([{ ...source, task: { retry_method: "retry", retry: { count: 1 } } }]) },
  {
    at: /^api_test/,
    job: jobOf([{ ...source, uid: "a" }, copy], { schema: "api_test", api_test: { running_sec: 7 } }),
  },
  { at: /^schema/, job: jobOf([source], { api_test: {} }) },
  { job: jobOf([source, copy]) },
];
