import type { DescribedCommand } from './describe.ts';

/** A bash completion script. */
export function bashCompletion(commands: readonly DescribedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `_contentgen() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${names} --help --version'
  else
    case "\${COMP_WORDS[1]} $previous" in
${commands.flatMap(valueCases).join('\n')}
    *)
      case "\${COMP_WORDS[1]}" in
${commands.map(wordCase).join('\n')}
      esac
      ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _contentgen contentgen`;
}

/** The completions after each flag that takes a value. */
function valueCases({ name, flags }: DescribedCommand): string[] {
  return flags
    .filter(({ takesValue }) => takesValue)
    .map(({ name: flag, choices, file }) => {
      const reply = file
        ? 'COMPREPLY=($(compgen -f -- "$current")); return'
        : `words='${choices.join(' ')}'`;
      return `    '${name} ${flag}') ${reply} ;;`;
    });
}

function wordCase({ name, flags, choices }: DescribedCommand): string {
  const words = [...choices, ...flags.map((flag) => flag.name)].join(' ');
  return `      ${name}) words='${words}' ;;`;
}
