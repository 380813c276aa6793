import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { copyText, downloadText } from "../../../ui/browser/clipboard.ts";
import { Button } from "../../../ui/controls/button.tsx";
import fieldCss from "../../../ui/controls/field.module.css";
import { useKeys } from "../../../ui/controls/keys.tsx";
import { useSay } from "../../../ui/overlays/toast.tsx";
import { observeInSight } from "../../../ui/table/in-sight.ts";
import { classes } from "../../../ui/text/classes.ts";
import { bytes } from "../../../ui/text/format.ts";
import { Empty } from "../../../ui/text/notice.tsx";
import css from "./log.module.css";
import { buildPattern, findHits, firstFault, markHits, splitLog, toneOf } from "./log-lines.ts";

const lineHeight = 18;

type LogTextProps = {
  readonly text: string;
  readonly fileName: string;
  readonly isGrowing: boolean;
  readonly isWide: boolean;
  readonly onWide: (isWide: boolean) => void;
  /** The second of two logs leaves the keys to the first. */
  readonly hasKeys?: boolean;
};

/** A text of any length: only visible lines are rendered. Search, follow, copy, download. */
export const LogText = ({ text, fileName, isGrowing, isWide, onWide, hasKeys = true }: LogTextProps) => {
  const { lines, width } = useMemo(() => splitLog(text), [text]);
  const [follows, setFollows] = useState(true);
  const [wraps, setWraps] = useState(false);
  const fault = useMemo(() => firstFault(lines), [lines]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    observeElementRect: observeInSight,
    estimateSize: () => lineHeight,
    overscan: 20,
    initialRect: { width: 400, height: 400 },
  });
  const goTo = (line: number): void => {
    setFollows(false);
    virtual.scrollToIndex(line, { align: "center" });
  };
  const search = useLogSearch(lines, hasKeys, goTo);
  const showFault = (): void => {
    if (fault < 0) return;
    goTo(fault);
    // The log may stand below what the window shows.
    scroller.current?.scrollIntoView({ block: "nearest" });
  };
  useEffect(() => {
    if (follows && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: "end" });
  }, [follows, lines.length, virtual]);
  const keys = [
    { keys: "e", word: t`First error in the log`, run: showFault },
    { keys: "f", word: t`Follow the log's end`, run: () => setFollows(!follows) },
    ...(isWide ? [{ keys: "Escape", word: t`Close the large log`, run: () => onWide(false) }] : []),
  ];
  useKeys(hasKeys ? keys : []);

  return (
    <>
      <div className={css.tools}>
        <SearchField lines={lines} search={search} />
        <Button aria-pressed={follows} onClick={() => setFollows(!follows)}>
          {follows ? t`Following` : t`Follow`}
        </Button>
        <Button hint={hasKeys ? "e" : undefined} disabled={fault < 0} onClick={showFault}>
          {fault < 0 ? t`No error line` : t`First error`}
        </Button>
        <Button aria-pressed={wraps} onClick={() => setWraps(!wraps)}>
          <Trans>Wrap</Trans>
        </Button>
        <TextButtons text={text} lineCount={lines.length} fileName={fileName} />
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
          id={hasKeys ? "log" : undefined}
          className={css.lines}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls has to be reached by keys
          tabIndex={0}
          role="log"
          aria-live="off"
          aria-label={t`Log`}
          onWheel={(event) => event.deltaY < 0 && setFollows(false)}
        >
          <Lines key={String(wraps)} {...{ lines, width, virtual, search, wraps, fault }} />
        </div>
      )}
    </>
  );
};

/** What is sought, and at which of the lines that have it the reader is. */
const useLogSearch = (lines: readonly string[], hasKeys: boolean, onLine: (line: number) => void) => {
  const [typed, setTyped] = useState("");
  const sought = useDeferredValue(typed);
  const hits = useMemo(() => findHits(lines, sought), [lines, sought]);
  const [hit, setHit] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const goTo = (wanted: number) => {
    if (hits.length === 0) return;
    const index = (wanted + hits.length) % hits.length;
    setHit(index);
    onLine(hits[index] ?? 0);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when other lines have it
  useEffect(() => {
    setHit(0);
    if (hits[0] !== undefined) onLine(hits[0]);
  }, [hits]);
  const keys = [
    { keys: "/", word: t`Search the log`, run: () => field.current?.focus() },
    { keys: "n", word: t`Next match in the log`, run: () => goTo(hit + 1) },
    { keys: "N", word: t`Previous match in the log`, run: () => goTo(hit - 1) },
  ];
  useKeys(hasKeys ? keys : []);
  return { typed, setTyped, sought, hits, hit, goTo, field };
};

type Search = ReturnType<typeof useLogSearch>;

const SearchField = ({ lines, search }: { readonly lines: readonly string[]; readonly search: Search }) => {
  const { typed, sought, hits, hit, goTo } = search;
  return (
    <>
      <input
        ref={search.field}
        type="search"
        className={`${fieldCss.input} ${css.search}`}
        aria-label={t`Search the log`}
        placeholder={t`Search ${lines.length} lines, or /regex/`}
        value={typed}
        onChange={(event) => search.setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter")
            goTo(event.shiftKey ? hit - 1 : hit + (hits.length > 0 && typed === sought ? 1 : 0));
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      {sought !== "" && (
        <span className={css.hits} role="status">
          {buildPattern(sought) === undefined
            ? t`not a pattern yet`
            : hits.length === 0
              ? t`no hit`
              : t`${hit + 1} of ${hits.length}`}
        </span>
      )}
    </>
  );
};

type ButtonsProps = { readonly text: string; readonly lineCount: number; readonly fileName: string };

const TextButtons = ({ text, lineCount, fileName }: ButtonsProps) => {
  const say = useSay();
  const copy = () =>
    void copyText(text).then(
      () => say(t`Copied ${lineCount} lines.`),
      () => say(t`The browser did not allow copying.`),
    );
  return (
    <>
      <Button onClick={copy}>
        <Trans>Copy</Trans>
      </Button>
      <Button title={bytes(text.length)} onClick={() => downloadText(fileName, text)}>
        <Trans>Download</Trans>
      </Button>
    </>
  );
};

type LinesProps = {
  readonly lines: readonly string[];
  readonly width: number;
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  readonly search: Search;
  readonly wraps: boolean;
  /** The first line with a fault. */
  readonly fault: number;
};

const Lines = ({ lines, width, virtual, search: { sought, hits, hit }, wraps, fault }: LinesProps) => (
  <div
    className={css.space}
    translate="no"
    style={{ height: virtual.getTotalSize(), ...(!wraps && { minWidth: `calc(${width}ch + 72px)` }) }}
  >
    {virtual.getVirtualItems().map(({ index, start }) => (
      <div
        key={index}
        // Lines that wrap are as high as they come out.
        ref={wraps ? virtual.measureElement : undefined}
        data-index={index}
        className={classes(
          ...[css.line, css[toneOf(lines[index] ?? "")], hits[hit] === index && css.current],
          ...[index === fault && css.firstFault, wraps && css.wraps],
        )}
        style={{ transform: `translateY(${start}px)` }}
      >
        <span className={css.number}>{index + 1}</span>
        <span className={css.text}>{marked(lines[index] ?? "", sought)}</span>
      </div>
    ))}
  </div>
);

const marked = (line: string, sought: string) =>
  sought === ""
    ? line
    : markHits(line, sought).map(({ text, isHit }, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one line have no other name
        isHit ? <mark key={at}>{text}</mark> : text,
      );
