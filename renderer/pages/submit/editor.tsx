import { autocompletion, type CompletionContext } from "@codemirror/autocomplete";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Action, type Diagnostic, linter, lintGutter } from "@codemirror/lint";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { t } from "@lingui/core/macro";
import { basicSetup } from "codemirror";
import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import type { ErrorDetail } from "../../../shared/basics/errors.ts";
import { findFix } from "./fix.ts";
import { cursorAt, lineIn, placeOf } from "./json-paths.ts";
import { jobSchema, namesIn, schemasAt, valuesIn } from "./schema-at.ts";
import css from "./submit.module.css";

type Props = {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** What is wrong in it, by path. */
  readonly check: (text: string) => readonly ErrorDetail[];
  /** The API's document, once it is loaded. */
  readonly document: object | undefined;
  readonly handle?: Ref<EditorHandle>;
};

export type EditorHandle = {
  /** Puts the cursor where a fault is. */
  readonly show: (fault: ErrorDetail) => void;
  /** Puts another value in the place of the one at a path. */
  readonly change: (path: string, value: string) => void;
};

/**
 * The job as JSON: completion from the API's own schemas, and errors on their line. It is in a shadow root, whose style
 * sheets are created by code, as the pages' policy requires.
 */
export const Editor = (props: Props) => {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const made = new EditorView({
      root,
      parent: root,
      doc: latest.current.text,
      extensions: [
        basicSetup,
        json(),
        look,
        syntaxHighlighting(colours),
        lintGutter(),
        linter(faultsIn(() => latest.current)),
        autocompletion({ override: [(context) => complete(context, latest.current.document)] }),
        EditorView.contentAttributes.of({ "aria-label": t`The job as JSON`, tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onText(update.state.doc.toString());
        }),
      ],
    });
    view.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === props.text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.text } });
  }, [props.text]);
  useImperativeHandle(props.handle, () => handleOf(() => view.current), []);
  return <div ref={host} className={css.editor} />;
};

const handleOf = (view: () => EditorView | undefined): EditorHandle => ({
  show: ({ path, message }) => {
    const editor = view();
    if (!editor) return;
    const { doc } = editor.state;
    const line = path === "" ? lineIn(message) : undefined;
    const place = line === undefined ? placeOf(editor.state, path) : doc.line(Math.max(1, Math.min(line, doc.lines)));
    editor.dispatch({ selection: { anchor: place.from, head: place.to }, scrollIntoView: true });
    editor.focus();
  },
  change: (path, value) => {
    const editor = view();
    if (!editor) return;
    const { from, to } = placeOf(editor.state, path);
    editor.dispatch({ changes: { from, to, insert: value }, selection: { anchor: from }, scrollIntoView: true });
    editor.focus();
  },
});

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "12px", color: "var(--ink)", backgroundColor: "var(--panel)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "18px" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--ink3)", backgroundColor: "var(--sunken)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  "&.cm-focused": { outline: "2px solid var(--ink)", outlineOffset: "-2px" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--sel) !important" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--panel)", border: "1px solid var(--line2)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--onink)", backgroundColor: "var(--ink)" },
  ".cm-diagnosticAction": {
    font: "inherit",
    color: "var(--ink)",
    backgroundColor: "var(--panel)",
    border: "1px solid var(--line2)",
    borderRadius: "5px",
  },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--bad-fill)" },
  ".cm-matchingBracket": { backgroundColor: "var(--sel) !important" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--sunken)" },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--ink)", fontWeight: "600" },
  { tag: tags.string, color: "var(--ink2)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--ink)" },
]);

const faultsIn = (props: () => Props) => {
  const syntax = jsonParseLinter();
  return (view: EditorView): Diagnostic[] => {
    const text = view.state.doc.toString();
    if (text.trim() === "") return [];
    const broken = syntax(view);
    if (broken.length > 0) return [...broken];
    return props()
      .check(text)
      .map((fault) => ({
        ...placeOf(view.state, fault.path),
        severity: "error",
        message: `${fault.path}: ${fault.message}`,
        actions: changesFor(findFix(fault)),
      }));
  };
};

/** The button below a message that puts the right value in the place of the wrong one. */
const changesFor = (fix: string | undefined): Action[] =>
  fix === undefined
    ? []
    : [
        {
          name: t`Change to ${fix}`,
          apply: (view, from, to) => view.dispatch({ changes: { from, to, insert: fix } }),
        },
      ];

const complete = (context: CompletionContext, document: object | undefined) => {
  if (!document) return null;
  const cursor = cursorAt(context.state, context.pos);
  if (!cursor || (!context.explicit && !cursor.isQuoted)) return null;
  const schemas = schemasAt(document, jobSchema(document), cursor.path, parsedOf(context.state.doc.toString()));
  const quoted = (word: string) => (cursor.isQuoted ? word : `"${word}"`);
  const options =
    cursor.is === "name"
      ? [...namesIn(schemas)]
          .filter(([name]) => !cursor.taken.includes(name))
          .map(([name, info]) => ({ label: name, detail: info.slice(0, 80), apply: quoted(name), type: "property" }))
      : valuesIn(schemas).map((value) => ({
          label: String(value),
          apply: typeof value === "string" ? quoted(value) : String(value),
          type: "enum",
        }));
  return options.length > 0 ? { from: cursor.from, to: cursor.to, options } : null;
};

/** The current text, if it is JSON; while typing it often is not. */
const parsedOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // completion then offers what any kind has
  }
};
