import type { DescribedCommand, DescribedFlag } from './describe.ts';

/** A fish completion script. */
export function fishCompletion(commands: readonly DescribedCommand[]): string {
  return ['complete -c contentgen -f', ...commands.flatMap(linesOf)].join('\n');
}

function linesOf({ name, summary, flags, choices }: DescribedCommand): string[] {
  const inside = `complete -c contentgen -n '__fish_seen_subcommand_from ${name}'`;
  return [
    `complete -c contentgen -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ...(choices.length > 0 ? [`${inside} -a ${quote(choices.join(' '))}`] : []),
    ...flags.map((flag) => `${inside} ${flagOf(flag)} -d ${quote(flag.sentence)}`),
  ];
}

function flagOf({ name, takesValue, choices, file }: DescribedFlag): string {
  const long = `-l ${name.slice('--'.length)}`;
  if (!takesValue) return long;
  if (file) return `${long} -r -F`;
  return choices.length > 0 ? `${long} -x -a ${quote(choices.join(' '))}` : `${long} -x`;
}

const quote = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
