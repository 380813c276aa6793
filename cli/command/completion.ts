import type { Flag, Flags } from "../terminal/flags.ts";
import type { Command } from "./command.ts";
import { commonFlags } from "./help.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** A shell's script that completes verbs, flags and their values: the command table in that shell's words. */
export const completionScript = (shell: Shell, commands: readonly Command[]): string => scripts[shell](commands);

const flagsOf = ({ flags }: Command): [string, Flag][] => Object.entries({ ...flags, ...commonFlags } as Flags);
const takesValue = ([, { type }]: [string, Flag]): boolean => type === "string";

const bash = (commands: readonly Command[]): string => {
  const values = commands.flatMap((command) =>
    flagsOf(command)
      .filter(takesValue)
      .map(([flag, { offers }]) => `    "${command.name} --${flag}") ${bashOffer(offers)} return ;;`),
  );
  const words = commands.map(
    (command) =>
      `    ${command.name}) flags="${flagsOf(command)
        .map(([flag]) => `--${flag}`)
        .join(" ")}"; ${bashWords(command)} ;;`,
  );
  return `# Mediafarm's completion for bash. Use it with: source <(mediafarm completion bash)
_mediafarm() {
  local IFS=$' \\t\\n'
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" verb="\${COMP_WORDS[1]}" flags="" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} --help --version" -- "$cur"))
    return
  fi
  case "$verb $prev" in
${values.join("\n")}
  esac
  case "$verb" in
${words.join("\n")}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
    *)
      if [ "$words" = files ]; then
        compopt -o filenames 2>/dev/null
        IFS=$'\\n'
        COMPREPLY=($(compgen -f -- "$cur"))
      else
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
      fi
      ;;
  esac
}
complete -F _mediafarm mediafarm
`;
};

const bashOffer = (offers: Flag["offers"]): string => {
  if (offers === undefined) return "";
  if (typeof offers !== "string") return `COMPREPLY=($(compgen -W "${offers.join(" ")}" -- "$cur"));`;
  const kind = offers === "folders" ? "-d" : "-f";
  return `compopt -o filenames 2>/dev/null; IFS=$'\\n'; COMPREPLY=($(compgen ${kind} -- "$cur"));`;
};

const bashWords = ({ offers }: Command): string => {
  if (offers === undefined) return "";
  return `words="${typeof offers === "string" ? offers : offers.join(" ")}"`;
};

const zsh = (commands: readonly Command[]): string => `#compdef mediafarm
# Mediafarm's completion for zsh. Use it with: source <(mediafarm completion zsh)
_mediafarm() {
  local -a verbs
  verbs=(
${commands.map(({ name, summary }) => `    ${quote(`${name}:${summary.replaceAll(":", "\\:")}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands 'mediafarm command' verbs
    return
  fi
  local verb="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$verb" in
${commands.map((command) => `    ${command.name})\n      _arguments -s ${zshArguments(command).join(" \\\n        ")}\n      ;;`).join("\n")}
  esac
}
if [ "\${funcstack[1]}" = _mediafarm ]; then _mediafarm "$@"; else compdef _mediafarm mediafarm; fi
`;

const zshArguments = (command: Command): string[] => [
  ...flagsOf(command).map(([name, flag]) => {
    const text = `${flag.multiple ? "*" : ""}--${name}[${inBrackets(flag.help)}]`;
    return quote(takesValue([name, flag]) ? `${text}:${flag.value ?? "value"}:${zshOffer(flag.offers)}` : text);
  }),
  quote(`*:${command.words.replaceAll(":", "\\:") || "nothing more"}:${zshOffer(command.offers)}`),
];

const inBrackets = (text: string): string => text.replaceAll(/[[\]:]/g, (sign) => `\\${sign}`);

const zshOffer = (offers: Flag["offers"]): string => {
  if (offers === undefined) return " ";
  if (typeof offers !== "string") return `(${offers.join(" ")})`;
  return offers === "folders" ? "_files -/" : "_files";
};

const fish = (
  commands: readonly Command[],
): string => `# Mediafarm's completion for fish. Use it with: mediafarm completion fish | source
complete -c mediafarm -f
complete -c mediafarm -n __fish_use_subcommand -l version -d 'Show the version.'
${commands.flatMap((command) => fishLines(command)).join("\n")}
`;

const fishLines = (command: Command): string[] => {
  const only = `-n '__fish_seen_subcommand_from ${command.name}'`;
  const words = fishOffer(command.offers);
  return [
    `complete -c mediafarm -n __fish_use_subcommand -a ${command.name} -d ${quote(command.summary)}`,
    ...(words === "" ? [] : [`complete -c mediafarm ${only} ${words}`]),
    ...flagsOf(command).map(([name, flag]) => {
      const value = takesValue([name, flag]) ? ` ${fishValue(flag.offers)}` : "";
      return `complete -c mediafarm ${only} -l ${name}${value} -d ${quote(flag.help)}`;
    }),
  ];
};

const fishOffer = (offers: Flag["offers"]): string => {
  if (offers === undefined) return "";
  if (typeof offers !== "string") return `-a ${quote(offers.join(" "))}`;
  return offers === "folders" ? "-a '(__fish_complete_directories)'" : "-F";
};

const fishValue = (offers: Flag["offers"]): string => (offers === "files" ? "-r -F" : `-x ${fishOffer(offers)}`.trim());

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const scripts = { bash, zsh, fish } as const satisfies Record<Shell, (commands: readonly Command[]) => string>;
