import { unknownOption } from '../../src/known-options.ts';

export { didYouMean } from '../../src/known-options.ts';
export * from '../../src/option-rules.ts';

type Names = Readonly<Record<string, unknown>>;

/** Says which option is unknown and what to write instead, or returns undefined. */
export function findUnknownOption(options: object, known: Names, kind = 'option') {
  const unknown = unknownOption(options, known);
  return unknown && `unknown ${kind} ${unknown}`;
}

/** @throws TypeError unless it is an object with only names in `known`; `action` says what failed */
export function assertKnownOptions(action: string, options: object, known: Names): void {
  // `serve(mock, 4010)` would otherwise ignore the port.
  if (Object(options) !== options) {
    throw new TypeError(`Failed to ${action}: options must be an object.`);
  }
  const unknown = findUnknownOption(options, known);
  if (unknown) throw new TypeError(`Failed to ${action}: ${unknown}`);
}
