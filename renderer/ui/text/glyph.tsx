import type { ReactNode } from "react";
import type { StateName } from "../../../shared/model/state-labels.ts";

const stroke = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.8,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;
const completed = <path {...stroke} strokeWidth={2.1} d="M2.8 8.6 6.4 12.2 13.4 4.2" />;
const running = <path fill="currentColor" d="M4.6 2.9v10.2L13 8Z" />;

/** The glyphs of states, on a grid of 16 by 16. */
const shapes: Record<StateName, ReactNode> = {
  queued: <circle {...stroke} cx="8" cy="8" r="5" />,
  running,
  working: running,
  completed,
  handled: completed,
  failed: (
    <path
      fill="currentColor"
      fillRule="evenodd"
      d="M5.1 1.2h5.8l3.9 3.9v5.8l-3.9 3.9H5.1L1.2 10.9V5.1ZM5.7 4.5 4.5 5.7 6.8 8l-2.3 2.3 1.2 1.2L8 9.2l2.3 2.3 1.2-1.2L9.2 8l2.3-2.3-1.2-1.2L8 6.8Z"
    />
  ),
  retrying: <path {...stroke} d="M13.2 8.9A5.3 5.3 0 1 1 11.6 4.1L13.4 5.8M13.8 2v4.2H9.6" />,
  waiting: (
    <path
      {...stroke}
      strokeWidth={1.7}
      d="M4 2.2h8M4 13.8h8M5 2.4c0 3.2 2.3 4.2 3 5.6.7-1.4 3-2.4 3-5.6M5 13.6c0-3.2 2.3-4.2 3-5.6.7 1.4 3 2.4 3 5.6"
    />
  ),
  blocked: (
    <>
      <circle {...stroke} cx="8" cy="8" r="5.6" />
      <path {...stroke} d="M5.2 8h5.6" />
    </>
  ),
  paused: <path fill="currentColor" d="M4 2.8h3v10.4H4zM9 2.8h3v10.4H9z" />,
  stopped: <path fill="currentColor" d="M3.4 3.4h9.2v9.2H3.4z" />,
  notTaken: <path {...stroke} d="M3.2 4.2 7 8l-3.8 3.8M8.6 4.2 12.4 8l-3.8 3.8" />,
  pending: (
    <>
      <circle {...stroke} cx="8" cy="8" r="5.8" />
      <path {...stroke} d="M8 4.4v4.4M8 11.2v.4" />
    </>
  ),
  idle: <circle fill="currentColor" cx="8" cy="8" r="2.3" />,
  inUse: (
    <>
      <circle fill="currentColor" cx="8" cy="4.9" r="2.9" />
      <path fill="currentColor" d="M2.4 14.2c0-3.4 2.4-5.2 5.6-5.2s5.6 1.8 5.6 5.2Z" />
    </>
  ),
  draining: <path {...stroke} d="M8 1.8v7.4M4.6 6.2 8 9.6l3.4-3.4M2.8 13.6h10.4" />,
  scheduled: (
    <>
      <circle {...stroke} cx="8" cy="8" r="5.8" />
      <path {...stroke} d="M8 4.6V8H5.4" />
    </>
  ),
  quarantined: (
    <>
      <circle {...stroke} cx="8" cy="8" r="5.8" />
      <path {...stroke} d="M4 12 12 4" />
    </>
  ),
  probation: <path {...stroke} d="M8 2v11.6M5 13.6h6M2 4.6h12M2 4.6 .9 8.6h3.6ZM14 4.6l-2.5 4h3.6Z" />,
  off: <path {...stroke} d="M8 1.8v5.4M4.6 4.4a5.3 5.3 0 1 0 6.8 0" />,
  late: (
    <>
      <circle {...stroke} cx="8" cy="8" r="5.8" />
      <path {...stroke} d="M8 4.8V8l2.3 1.6" />
    </>
  ),
  lost: (
    <>
      <circle {...stroke} strokeDasharray="5.2 3.6" strokeLinecap="butt" cx="8" cy="8" r="5.6" />
      <circle fill="currentColor" cx="8" cy="8" r="1.4" />
    </>
  ),
};

export const Glyph = ({ state, size = 14 }: { readonly state: StateName; readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    {shapes[state]}
  </svg>
);
