import { didYouMean } from '../domain/options.ts';

/** More than this would be a list to read, not a suggestion. */
const MOST = 3;
/** Shorter prefixes match too many words. */
const SHORTEST_PREFIX = 3;

/**
 * ` Did you mean '--log-bodies'?`, or nothing if no flag is close. Compares words first, whatever their order, case,
 * separator and number, and ignores a leading `no`; then compares letters.
 *
 * @param known - The command's flags, without dashes.
 */
export function suggestFlag(written: string, known: readonly string[]): string {
  const given = wordsOf(written);
  const same = known.filter((name) => isEqual(given, wordsOf(name)));
  const partly = known.filter((name) => given.every((word) => begins(wordsOf(name), word)));
  const found = [same, partly].find(({ length }) => length > 0 && length <= MOST) ?? [];
  if (given.length > 0 && found.length > 0) return ` Did you mean ${either(found)}?`;
  const plain = `--${written.replace(/^-+(?:no-)?/i, '')}`;
  return didYouMean(
    plain,
    known.map((name) => `--${name}`),
  );
}

/** In the singular and in lower case: `--log-bodies`, `logBody` and `no_log_body` have the same words. */
function wordsOf(name: string): string[] {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]+/)
    .filter(Boolean);
  const meant = words.length > 1 && words[0] === 'no' ? words.slice(1) : words;
  return meant.map((word) => word.replace(/ies$/, 'y').replace(/s$/, ''));
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  [...one].sort().join() === [...other].sort().join() || one.join('') === other.join('');

const begins = (words: readonly string[], word: string): boolean =>
  words.some(
    (known) => known === word || (word.length >= SHORTEST_PREFIX && known.startsWith(word)),
  );

function either(names: readonly string[]): string {
  const quoted = names.map((name) => `'--${name}'`);
  const last = quoted.pop();
  return quoted.length === 0 ? String(last) : `${quoted.join(', ')} or ${last}`;
}
