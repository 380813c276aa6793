import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useLink, useNow } from "../data/link.ts";
import { startLive } from "../data/live.ts";
import { tellNotices } from "../data/notices.ts";
import { useMay } from "../data/session.tsx";
import { useKeys } from "../ui/controls/keys.tsx";
import { useSay } from "../ui/overlays/toast.tsx";
import { clockTime, span } from "../ui/text/format.ts";
import { Notice } from "../ui/text/notice.tsx";
import { DropAnywhere } from "./drop.tsx";
import { More } from "./more.tsx";
import { Nav } from "./nav.tsx";
import { Palette } from "./palette.tsx";
import { placesFor } from "./places.ts";
import css from "./shell.module.css";
import { TopBar } from "./top-bar.tsx";
import { useWall } from "./wall.ts";
import { WhyDrawer } from "./why/index.tsx";

/** The frame around every page, and what keeps it up to date. */
export const Shell = () => {
  const queries = useQueryClient();
  const [isMore, setMore] = useState(false);
  const link = useLink();
  const say = useSay();
  const isWall = useWall();
  const why = useRouterState({ select: ({ location }) => (location.search as { readonly why?: unknown }).why });
  useEffect(() => startLive(queries, (notices) => tellNotices(notices, say)), [queries, say]);
  useFocusOnPage();
  usePlaceKeys(() => setMore(true));
  return (
    <div className={css.shell} data-stale={link.state === "away" ? "" : undefined} data-wall={isWall ? "" : undefined}>
      <button type="button" className={css.skip} onClick={skipToMain}>
        <Trans>Skip to the page</Trans>
      </button>
      <TopBar isPlain={isWall} />
      <div className={css.middle}>
        {!isWall && <Nav onMore={() => setMore(true)} />}
        <main id="main" className={css.main} tabIndex={-1}>
          <AwayBanner />
          <Outlet />
        </main>
      </div>
      <More isOpen={isMore} onClose={() => setMore(false)} />
      <WhyDrawer taskId={why === undefined ? undefined : String(why)} />
      <Palette />
      <DropAnywhere />
    </div>
  );
};

const usePlaceKeys = (showMore: () => void): void => {
  const navigate = useNavigate();
  const places = placesFor(useMay("owner"));
  const maySubmit = useMay("operator");
  useKeys([
    { keys: "?", word: t`All keys, theme, sign out`, run: showMore },
    ...places.flatMap(({ to, key }) =>
      key ? [{ keys: `g ${key[0]}`, word: key[1], isPlace: true, run: () => void navigate({ to }) }] : [],
    ),
    ...(maySubmit ? [{ keys: "g s", word: t`Submit a job`, run: () => void navigate({ to: "/submit" }) }] : []),
  ]);
};

/** The address's fragment is the page, so this cannot be a fragment link. */
const skipToMain = () => document.getElementById("main")?.focus();

/** A page that loads has no heading yet: about two seconds. */
const mostFrames = 120;

/** Who went to another page by a key or a row has nothing under the focus any more: it goes to the page's heading. */
const useFocusOnPage = (): void => {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const before = useRef<string>(undefined);
  useEffect(() => {
    const isFirst = before.current === undefined;
    before.current = path;
    if (isFirst) return;
    let frame = 0;
    const look = (tries: number) => {
      if (document.activeElement !== document.body) return;
      const main = document.getElementById("main");
      const heading = main?.querySelector<HTMLElement>("h1");
      if (!heading && tries < mostFrames) frame = requestAnimationFrame(() => look(tries + 1));
      heading?.setAttribute("tabindex", "-1");
      (heading ?? (tries < mostFrames ? undefined : main))?.focus({ preventScroll: true });
    };
    frame = requestAnimationFrame(() => look(0));
    return () => cancelAnimationFrame(frame);
  }, [path]);
};

const AwayBanner = () => {
  const link = useLink();
  const now = useNow();
  if (link.state !== "away") return null;
  return (
    <div className={css.away}>
      <Notice tone="late">
        {link.heardAt === undefined ? (
          <b>
            <Trans>The coordinator does not answer.</Trans>
          </b>
        ) : (
          <Trans>
            <b>The coordinator has not answered for {span(now - link.heardAt)}.</b> What you see is from{" "}
            {clockTime(link.heardAt)}. Nodes continue with their work; this page reconnects by itself.
          </Trans>
        )}
      </Notice>
    </div>
  );
};
