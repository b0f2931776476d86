import { type Command, defineCommand } from '../command.ts';
import { bashCompletion } from '../completion/bash.ts';
import { describeCommands, type Entries } from '../completion/describe.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { oneOf } from '../values.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** The command, given what to complete. */
export const completionOf = (entries: Entries): Command =>
  defineCommand({
    description: 'Print a script that completes commands, options and their values in your shell.',
    operands: { name: 'SHELL', least: 1, most: 1, choices: SHELLS },
    note: `SHELL is one of ${SHELLS.join(', ')}.`,
    flags: {},
    examples: [
      'contentgen completion bash > ~/.local/share/bash-completion/completions/contentgen',
      `contentgen completion zsh > "\${fpath[1]}/_contentgen"`,
      'contentgen completion fish > ~/.config/fish/completions/contentgen.fish',
    ],
    async run({ operands }, terminal) {
      const shell = oneOf(SHELLS)(operands[0] ?? '', 'SHELL');
      terminal.out(SCRIPTS[shell](await describeCommands(entries)));
      return 0;
    },
  });
