/** Every page of the canned farm: a name, its address, and a text that says that it is there. */
export const cannedPages: readonly (readonly [string, string, string])[] = [
  ["overview", "#/overview", "Needs a person"],
  ["wall", "#/overview?wall=true", "Needs a person"],
  ["jobs", "#/jobs", "Northline 207"],
  ["jobs-failed", "#/jobs?state=failed", "Rushes"],
  ["jobs-none", "#/jobs?text=nothing-is-called-so", "Clear the filter"],
  ["job", "#/jobs/990", "rack-01"],
  ["why", "#/jobs?why=541", "one question at a time"],
  ["job-gone", "#/jobs/4711", "There is no job"],
  ["nodes", "#/nodes", "rack-03"],
  ["timeline", "#/nodes?view=timeline", "Point at a bar"],
  ["node", "#/nodes/4", "What it can do"],
  ["node-gone", "#/nodes/4711", "There is no node"],
  ["history", "#/history", "Priority changed"],
  ["farm", "#/farm", "dolby"],
  ["people", "#/people", "guest"],
  ["account", "#/account", "the archive"],
  ["presets", "#/presets", "Small enough"],
  ["api", "#/api", "GET /v1/jobs/info"],
  ["reset", "#/reset?code=x", "Choose a password"],
  ["submit", "#/submit", "Review proxy"],
  ["submit-json", "#/submit?as=json", "Nothing to check"],
];
/** Dialogs, and what opens each. */
export const cannedSheets = [
  ["limit", "#/farm", { role: "button", name: "Change the limit of dolby…" }],
  ["group", "#/farm", { role: "button", name: "New group…" }],
  ["group-delete", "#/farm", { role: "button", name: "Delete gpu…" }],
  ["credential", "#/farm", { role: "button", name: "New credential…" }],
  ["mount", "#/farm", { role: "button", name: "New mount…" }],
  ["join", "#/nodes", { role: "button", name: "Add a node…" }],
  ["palette", "#/nodes", { role: "button", name: /Search or do/ }],
] as const;
