import { defineCommand } from '../command.ts';
import { controlTokenFlag, urlFlag, withServer } from '../connection.ts';
import { optionOr, toggle } from '../flags.ts';
import { integer } from '../values.ts';

export const coverage = defineCommand({
  description: `Show which situations the applications of a running server met, such as a lost response or a forged signature,
and how many of them they handled. Exits with 1 if fewer than --min were met.`,
  flags: {
    url: urlFlag,
    'control-token': controlTokenFlag,
    min: optionOr('0', 'N', 'How many different situations must have been met', integer(0, 99)),
    json: toggle('Print JSON'),
  },
  examples: ['contentgen coverage', 'contentgen coverage --min 10'],
  run: ({ flags }, terminal) =>
    withServer(flags, async ({ control }) => {
      const situations = await control.coverage();
      const met = situations.filter((one) => one.met > 0);
      if (flags.json) terminal.out(JSON.stringify(situations));
      else {
        for (const { name, met: times, handled } of met)
          terminal.out(`${name.padEnd(22)} met ${times}, handled ${handled}`);
        const never = situations.filter((one) => one.met === 0).map(({ name }) => name);
        if (never.length > 0) terminal.out(`Never met: ${never.join(', ')}`);
      }
      return met.length >= flags.min ? 0 : 1;
    }),
});
