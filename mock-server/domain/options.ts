import { optionMistake } from '../../src/options/check-options.ts';
import type { OptionRule } from '../../src/options/rules.ts';

export * from '../../src/options/check-options.ts';
export * from '../../src/options/did-you-mean.ts';
export * from '../../src/options/rules.ts';
export * from '../../src/options/values.ts';

/** @throws TypeError for an unknown name and for an invalid value; `action` says what failed */
export function assertOptions(
  action: string,
  options: object,
  rules: Readonly<Record<string, OptionRule>>,
): void {
  const mistake = optionMistake(options, rules);
  if (mistake) throw new TypeError(`Failed to ${action}: ${mistake}`);
}
