import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { copyText, downloadText } from "../../ui/clipboard.ts";
import fieldCss from "../../ui/field.module.css";
import { bytes } from "../../ui/format.ts";
import { useKeys } from "../../ui/keys.tsx";
import { Empty } from "../../ui/notice.tsx";
import { useSay } from "../../ui/toast.tsx";
import css from "./log.module.css";
import { findHits, markHits, patternOf, splitLog, toneOf } from "./log-lines.ts";

const lineHeight = 18;

/** A text of any length: only visible lines are rendered. Search, follow, copy, download. */
export const LogText = ({
  text,
  fileName,
  isGrowing,
  isWide,
  onWide,
}: {
  readonly text: string;
  readonly fileName: string;
  readonly isGrowing: boolean;
  readonly isWide: boolean;
  readonly onWide: (isWide: boolean) => void;
}) => {
  const say = useSay();
  const { lines, width } = useMemo(() => splitLog(text), [text]);
  const [typed, setTyped] = useState("");
  const sought = useDeferredValue(typed);
  const hits = useMemo(() => findHits(lines, sought), [lines, sought]);
  const [hit, setHit] = useState(0);
  const [follows, setFollows] = useState(true);
  const scroller = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 20,
    initialRect: { width: 400, height: 400 },
  });

  useEffect(() => {
    if (follows && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: "end" });
  }, [follows, lines.length, virtual]);
  const goTo = (wanted: number) => {
    if (hits.length === 0) return;
    const index = (wanted + hits.length) % hits.length;
    setHit(index);
    setFollows(false);
    virtual.scrollToIndex(hits[index] ?? 0, { align: "center" });
  };
  useEffect(() => {
    setHit(0);
    if (hits[0] === undefined) return;
    setFollows(false);
    virtual.scrollToIndex(hits[0], { align: "center" });
  }, [hits, virtual]);

  const copy = () =>
    void copyText(text).then(
      () => say(t`Copied ${lines.length} lines.`),
      () => say(t`The browser did not allow copying.`),
    );
  useKeys([
    { keys: "/", word: t`Search the log`, run: () => search.current?.focus() },
    { keys: "n", word: t`Next match in the log`, run: () => goTo(hit + 1) },
    { keys: "N", word: t`Previous match in the log`, run: () => goTo(hit - 1) },
    { keys: "f", word: t`Follow the log's end`, run: () => setFollows(!follows) },
    ...(isWide ? [{ keys: "Escape", word: t`Close the large log`, run: () => onWide(false) }] : []),
  ]);

  return (
    <>
      <div className={css.tools}>
        <input
          ref={search}
          type="search"
          className={`${fieldCss.input} ${css.search}`}
          aria-label={t`Search the log`}
          placeholder={t`Search ${lines.length} lines, or /regex/`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter")
              goTo(event.shiftKey ? hit - 1 : hit + (hits.length > 0 && typed === sought ? 1 : 0));
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
        {sought !== "" && (
          <span className={css.hits} role="status">
            {patternOf(sought) === undefined
              ? t`not a pattern yet`
              : hits.length === 0
                ? t`no hit`
                : t`${hit + 1} of ${hits.length}`}
          </span>
        )}
        <Button aria-pressed={follows} onClick={() => setFollows(!follows)}>
          {follows ? t`Following` : t`Follow`}
        </Button>
        <Button onClick={copy}>
          <Trans>Copy</Trans>
        </Button>
        <Button title={bytes(text.length)} onClick={() => downloadText(fileName, text)}>
          <Trans>Download</Trans>
        </Button>
        <Button aria-pressed={isWide} onClick={() => onWide(!isWide)}>
          {isWide ? t`Smaller` : t`Larger`}
        </Button>
      </div>
      {lines.length === 0 ? (
        <div id="log" tabIndex={-1}>
          <Empty title={isGrowing ? t`No line yet.` : t`The log is empty.`} />
        </div>
      ) : (
        <div
          ref={scroller}
          id="log"
          className={css.lines}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls has to be reached by keys
          tabIndex={0}
          role="log"
          aria-live="off"
          aria-label={t`Log`}
          onWheel={(event) => event.deltaY < 0 && setFollows(false)}
        >
          <div
            className={css.space}
            translate="no"
            style={{ height: virtual.getTotalSize(), minWidth: `calc(${width}ch + 72px)` }}
          >
            {virtual.getVirtualItems().map(({ index, start }) => (
              <div
                key={index}
                className={`${css.line} ${css[toneOf(lines[index] ?? "")]} ${hits[hit] === index ? css.current : ""}`}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span className={css.number}>{index + 1}</span>
                <span className={css.text}>{marked(lines[index] ?? "", sought)}</span>
              </div>
            ))}
          </div>
        </div>
      )}
    </>
  );
};

const marked = (line: string, sought: string) =>
  sought === ""
    ? line
    : markHits(line, sought).map(({ text, isHit }, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one line have no other name
        isHit ? <mark key={at}>{text}</mark> : text,
      );
