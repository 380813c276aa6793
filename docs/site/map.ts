/** A group of pages in the navigation, in the order in which somebody would read them. Files are named from the top folder. */
export type Group = { readonly title: string; readonly files: readonly string[] };

/** Every page of the site. A page that is not here is reported by the build. */
export const groups: readonly Group[] = [
  { title: "Start", files: ["docs/README.md", "docs/first-farm.md", "docs/dashboard.md", "docs/desktop.md"] },
  {
    title: "Run a farm",
    files: [
      "docs/install.md",
      "docs/operating.md",
      "docs/shapes.md",
      "docs/sign-in.md",
      "docs/storage.md",
      "docs/webhooks.md",
      "docs/troubleshooting.md",
      "docs/platforms.md",
    ],
  },
  {
    title: "Write jobs",
    files: [
      "docs/examples/README.md",
      "docs/jobs/sources.md",
      "docs/jobs/codecs.md",
      "docs/jobs/filters.md",
      "docs/jobs/time.md",
      "docs/jobs/packaging.md",
      "docs/jobs/deliveries.md",
      "docs/jobs/analysis.md",
      "docs/jobs/expressions.md",
      "docs/jobs/scripts.md",
      "docs/jobs/notifications.md",
      "docs/jobs/folders.md",
      "docs/jobs/watchfolders.md",
      "docs/jobs/sections.md",
      "docs/jobs/thirdparty-xml.md",
      "docs/jobs/refused.md",
    ],
  },
  {
    title: "Reference",
    files: [
      "docs/api.md",
      "docs/clients.md",
      "docs/command-line.md",
      "docs/state-machines.md",
      "docs/causes.md",
      "docs/guarantees.md",
      "docs/versioning.md",
      "CHANGELOG.md",
    ],
  },
  {
    title: "Review it",
    files: [
      "docs/review/security.md",
      "docs/security.md",
      "docs/rights.md",
      "SECURITY.md",
      "docs/review/licences.md",
      "THIRD-PARTY.md",
    ],
  },
  {
    title: "Change it",
    files: [
      "CONTRIBUTING.md",
      "ARCHITECTURE.md",
      "docs/design/README.md",
      "docs/design/deciding.md",
      "docs/design/scheduling.md",
      "docs/design/instances.md",
      "docs/design/sections.md",
      "docs/design/attempts.md",
      "docs/design/lending.md",
      "docs/design/storage.md",
      "docs/design/media.md",
      "docs/design/trust.md",
      "docs/design/pages.md",
      "docs/translating.md",
    ],
  },
];
