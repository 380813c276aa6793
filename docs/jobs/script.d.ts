/** What a script of kind `javascript` can use. */

type ScriptFile = {
  readonly url: string;
  readonly name: string;
  readonly version: string;
  readonly size: number | null;
  /** The words of expressions (`source.*`); null where the file was not probed. */
  readonly media: {
    readonly container: { kind?: string; size_kb?: number; bitrate_kb?: number; duration_sec?: number };
    readonly video: readonly Record<string, unknown>[];
    readonly audio: readonly Record<string, unknown>[];
    readonly subtitle: readonly { codec?: string; language?: string }[];
    readonly timecode: readonly { kind?: string; start_value?: string }[];
  } | null;
};

declare const input: {
  /** The script element's uid. */
  readonly element: string;
  readonly job: { readonly id: number; readonly name: string; readonly user_tag: string | null };
  readonly source: readonly ScriptFile[];
  readonly inputs: readonly ScriptFile[];
  /** What earlier elements found out, the nearest first: analyses, receipts, other scripts' variables. */
  readonly results: readonly {
    readonly element: string;
    readonly kind: string;
    readonly values: Readonly<Record<string, unknown>>;
  }[];
  /** On an error branch: what failed. */
  readonly failures: readonly {
    readonly element: string;
    readonly kind: string;
    readonly cause: string | null;
    readonly message: string;
  }[];
};

declare function setVariable(name: string, value: string | number | boolean): void;
declare function fail(message: string): never;
declare function log(...words: unknown[]): void;
