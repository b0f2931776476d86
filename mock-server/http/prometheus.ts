/** A metric with its values by labels. */
export interface Family {
  /** In Prometheus' text format 0.0.4. */
  text(): string;
}

export interface Counter extends Family {
  /** One value for each label. */
  add(...labels: readonly string[]): void;
}

export interface Histogram extends Family {
  /** Takes one value for each label. */
  observe(value: number, ...labels: readonly string[]): void;
}

/** A value that only grows. */
export function createCounter(name: string, help: string, labels: readonly string[]): Counter {
  const values = new Map<string, number>();
  return {
    add(...given) {
      const key = keyOf(given);
      values.set(key, (values.get(key) ?? 0) + 1);
    },
    text() {
      const lines = [...values].map(([key, value]) => `${name}{${format(labels, key)}} ${value}\n`);
      return header(name, help, 'counter') + lines.join('');
    },
  };
}

/** Counts the values up to each bound. */
export function createHistogram(
  name: string,
  help: string,
  labels: readonly string[],
  bounds: readonly number[],
): Histogram {
  const rows = new Map<string, { readonly counts: number[]; sum: number; count: number }>();

  function linesOf([key, { counts, sum, count }]: [
    string,
    { counts: number[]; sum: number; count: number },
  ]) {
    const shown = format(labels, key);
    let upTo = 0;
    const buckets = bounds.map((bound, index) => {
      upTo += counts[index] ?? 0;
      return `${name}_bucket{${shown},le="${bound}"} ${upTo}\n`;
    });
    return [
      ...buckets,
      `${name}_bucket{${shown},le="+Inf"} ${count}\n`,
      `${name}_sum{${shown}} ${sum}\n`,
      `${name}_count{${shown}} ${count}\n`,
    ].join('');
  }

  return {
    observe(value, ...given) {
      const key = keyOf(given);
      const row = rows.get(key) ?? { counts: bounds.map(() => 0), sum: 0, count: 0 };
      rows.set(key, row);
      const index = bounds.findIndex((bound) => value <= bound);
      if (index !== -1) row.counts[index] = (row.counts[index] ?? 0) + 1;
      row.sum += value;
      row.count += 1;
    },
    text: () => header(name, help, 'histogram') + [...rows].map(linesOf).join(''),
  };
}

/** A single value as it is now. */
export function gauge(
  name: string,
  help: string,
  value: number,
  type: 'gauge' | 'counter' = 'gauge',
): string {
  return `${header(name, help, type)}${name} ${value}\n`;
}

const header = (name: string, help: string, type: string): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;

/** Counting runs on every request, so it only joins the label values. They are formatted when the metrics are read. */
const SEPARATOR = '\u0000';

const keyOf = (values: readonly string[]): string => values.join(SEPARATOR);

function format(labels: readonly string[], key: string): string {
  const values = key.split(SEPARATOR);
  return labels.map((label, index) => `${label}="${quoted(values[index] ?? '')}"`).join(',');
}

const quoted = (value: string): string => value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
