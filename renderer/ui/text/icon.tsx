/** Plain line icons for places and actions; states have glyphs of their own. Always beside a word or under a label. */
const paths = {
  jobs: "M2 3.5h12M2 8h9M2 12.5h6",
  overview: "M2.5 2.5h4.5v6h-4.5zM9 2.5h4.5v3.5h-4.5zM9 8h4.5v5.5h-4.5zM2.5 10.5h4.5v3h-4.5z",
  history: "M3 8a5 5 0 1 0 1.6-3.7M3 2.6v2.6h2.6M8 5v3.2l2.2 1.3",
  nodes: "M2.5 2.5h11v4.5h-11zM2.5 9h11v4.5h-11zM5 4.75h.01M5 11.25h.01",
  farm: "M2 4.5h6M12.5 4.5H14M10.2 2.5v4M2 11.5h1.5M7.8 11.5H14M5.7 9.5v4",
  people:
    "M6 7.5a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2ZM1.5 14c0-2.9 1.9-4.5 4.5-4.5s4.5 1.6 4.5 4.5M11 7.3a2.3 2.3 0 0 0 0-4.6M12.2 9.8c1.5.6 2.3 2 2.3 4.2",
  computer: "M2 3h12v8H2zM6 13.5h4M8 11v2.5",
  key: "M5.5 13.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM7.7 8.3 13 3M10.5 5.5l2 2",
  submit: "M8 3v10M3 8h10",
  more: "M3 8h.01M8 8h.01M13 8h.01",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.7 10.7 14 14",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  next: "M6 3.5 10.5 8 6 12.5",
  down: "M3.5 6 8 10.5 12.5 6",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  download: "M8 2v8M4.6 6.8 8 10.2l3.4-3.4M2.8 13.6h10.4",
  help: "M5.8 5.8a2.2 2.2 0 1 1 3.3 2c-.8.5-1.1.9-1.1 1.7M8 12.3h.01",
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path
      d={paths[name]}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "more" || name === "nodes" ? 1.8 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);
