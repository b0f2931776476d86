import { type Part, parseExpression } from './parse-expression.ts';

/** A text made for an expression: `prefix`, `pump` many times, `suffix`. */
export interface Pumped {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

/** Letters that can stand for a class, besides those in the expression itself. */
const LETTERS = [...'a0 A_-\n\t."=;:/%[', '\u00e9', '\u2028', '\u{1f600}'];

/** What makes a match fail, or end. */
const SUFFIXES = ['', '\u0001', '\n!'];

/** Below it, a text was read in linear time: the 3 * 10^7 steps of a quadratic one take longer. In milliseconds. */
const FLOOR = 12;

/** Twice the text takes twice as long in linear time, and four times as long in quadratic time. */
const LINEAR = 3.2;

const COPIES = 4_000;
const RUNS = 8;

/** A text for which a pattern takes more than linear time. */
export async function findSlow(pattern: RegExp): Promise<Pumped | undefined> {
  for (const pumped of pumpsOf(pattern)) {
    if (await isSlow(pattern, pumped)) return pumped;
  }
  return undefined;
}

/** Texts from the expression's own alternatives: one for each repetition without an end, and each way to fill it. */
export function pumpsOf(pattern: RegExp): Pumped[] {
  const letters = [...new Set([...pattern.source, ...LETTERS])];
  const found = new Map<string, Pumped>();

  /** Short texts that match a part, the shortest first. */
  function samples(part: Part, limit: number): string[] {
    switch (part.kind) {
      case 'nothing':
        return [''];
      case 'letter':
        return lettersOf(part.source, pattern, letters).slice(0, limit);
      case 'choice':
        return part.parts.flatMap((choice) => samples(choice, limit));
      case 'repeat':
        return samples(part.part, limit).map((text) => text.repeat(Math.max(1, part.min)));
      case 'sequence': {
        const first = part.parts.map(shortest).join('');
        const others = part.parts.flatMap((item, index) =>
          samples(item, 3).map((text) =>
            part.parts.map((other, at) => (at === index ? text : shortest(other))).join(''),
          ),
        );
        return [...new Set([first, ...others])].slice(0, limit * 3);
      }
    }
  }

  function shortest(part: Part): string {
    if (part.kind === 'repeat') return shortest(part.part).repeat(part.min);
    if (part.kind === 'sequence') return part.parts.map(shortest).join('');
    return samples(part, 1)[0] ?? '';
  }

  function add(prefixes: readonly string[], pumps: readonly string[]): void {
    for (const prefix of new Set(prefixes)) {
      for (const pump of new Set(pumps)) {
        for (const suffix of SUFFIXES) {
          if (pump) found.set(JSON.stringify([prefix, pump, suffix]), { prefix, pump, suffix });
        }
      }
    }
  }

  function visit(part: Part, prefix: string): void {
    if (part.kind === 'sequence') {
      let before = prefix;
      for (const item of part.parts) {
        visit(item, before);
        before += shortest(item);
      }
    } else if (part.kind === 'choice') {
      for (const choice of part.parts) visit(choice, prefix);
    } else if (part.kind === 'nothing') {
      if (part.part) visit(part.part, prefix);
    } else if (part.kind === 'repeat') {
      if (part.max === Infinity) {
        // With the prefix as the pump, the search starts again at each copy.
        add([prefix, ''], [...samples(part.part, 6), prefix, prefix + shortest(part)]);
      }
      visit(part.part, prefix);
    }
  }

  visit(parseExpression(pattern), '');
  return [...found.values()];
}

/** The letters that a class or an escape matches. */
function lettersOf(source: string, { flags }: RegExp, letters: readonly string[]): string[] {
  const one = new RegExp(`^(?:${source})$`, flags.replace(/[gy]/g, ''));
  return letters.filter((letter) => one.test(letter));
}

async function isSlow(pattern: RegExp, { prefix, pump, suffix }: Pumped): Promise<boolean> {
  const run = (copies: number) => {
    const text = prefix + pump.repeat(copies) + suffix;
    const start = process.threadCpuUsage();
    if (pattern.global) text.replaceAll(pattern, '');
    else pattern.test(text);
    return cpuTime(start);
  };
  // Exponential time shows with a few copies, and each more of them doubles it.
  for (let copies = 12; copies < COPIES; copies = copies < 36 ? copies + 2 : copies * 2) {
    if (run(copies) > FLOOR && (await isSuperlinear(run, copies))) return true;
  }
  return run(COPIES * 2) > FLOOR && isSuperlinear(run, COPIES * 2);
}

/** Milliseconds of this thread since then: what else the machine does hardly counts. */
export function cpuTime(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/**
 * Whether so many copies take more than twice what half of them take. Compares the least of some runs: a pause of the
 * process only adds to some of them, and more runs then show it.
 */
export async function isSuperlinear(
  run: (copies: number) => number | Promise<number>,
  copies: number,
): Promise<boolean> {
  let whole = Infinity;
  let half = Infinity;
  for (let count = 1; count <= RUNS; count += 1) {
    whole = Math.min(whole, await run(copies));
    if (whole <= FLOOR) return false;
    half = Math.min(half, await run(copies / 2));
    if (count % 4 === 0 && whole <= half * LINEAR) return false;
  }
  return true;
}
