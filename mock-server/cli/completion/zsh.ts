import type { DescribedCommand, DescribedFlag } from './describe.ts';

/** A zsh completion script. */
export function zshCompletion(commands: readonly DescribedCommand[]): string {
  return `#compdef contentgen

_contentgen() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${commands.map(commandCase).join('\n')}
  esac
}

if [ "$funcstack[1]" = _contentgen ]; then _contentgen "$@"; else compdef _contentgen contentgen; fi`;
}

function commandCase({ name, flags, choices }: DescribedCommand): string {
  const operand = choices.length > 0 ? [quote(`1:value:(${choices.join(' ')})`)] : [];
  const rows = [...operand, ...flags.map(argumentOf)].map((row) => ` \\\n      ${row}`);
  return `  ${name}) _arguments${rows.join('')} ;;`;
}

function argumentOf({ name, sentence, takesValue, choices, file }: DescribedFlag): string {
  const label = `[${sentence.replace(/[[\]:]/g, ' ')}]`;
  if (!takesValue) return quote(`*${name}${label}`);
  const values = file ? '_files' : choices.length > 0 ? `(${choices.join(' ')})` : '';
  return quote(`*${name}=${label}:value:${values}`);
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
