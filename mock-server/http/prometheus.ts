type Labels = Readonly<Record<string, string | number>>;

/** A metric with its values by labels. */
export interface Family {
  /** In Prometheus' text format 0.0.4. */
  text(): string;
}

export interface Counter extends Family {
  add(labels: Labels): void;
}

export interface Histogram extends Family {
  observe(labels: Labels, value: number): void;
}

/** A value that only grows. */
export function createCounter(name: string, help: string): Counter {
  const values = new Map<string, number>();
  return {
    add(labels) {
      const key = format(labels);
      values.set(key, (values.get(key) ?? 0) + 1);
    },
    text() {
      const lines = [...values].map(([labels, value]) => `${name}{${labels}} ${value}\n`);
      return header(name, help, 'counter') + lines.join('');
    },
  };
}

/** How many values were at most as large as each bound. */
export function createHistogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const rows = new Map<string, { readonly counts: number[]; sum: number; count: number }>();

  function linesOf([labels, { counts, sum, count }]: [
    string,
    { counts: number[]; sum: number; count: number },
  ]) {
    let upTo = 0;
    const buckets = bounds.map((bound, index) => {
      upTo += counts[index] ?? 0;
      return `${name}_bucket{${labels},le="${bound}"} ${upTo}\n`;
    });
    return [
      ...buckets,
      `${name}_bucket{${labels},le="+Inf"} ${count}\n`,
      `${name}_sum{${labels}} ${sum}\n`,
      `${name}_count{${labels}} ${count}\n`,
    ].join('');
  }

  return {
    observe(labels, value) {
      const key = format(labels);
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

function format(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${quoted(String(value))}"`)
    .join(',');
}

const quoted = (value: string): string => value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
