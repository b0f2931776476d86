/** One step of a run. */
export interface TraceEntry {
  /** Milliseconds on the clock of the run. */
  readonly at: number;
  /** Who did it: an instance, the service, or `run`. */
  readonly who: string;
  /** What happened. */
  readonly what: string;
  /** What was written or sent: part of the comparison of two runs, not of the timeline. */
  readonly detail?: string;
  /** Set if the timeline does not show it. */
  readonly minor?: true;
  /** Set if the simulation caused this failure. */
  readonly fault?: true;
}

/** A failed run, as JSON. */
export interface Reproduction {
  /** Always `contentgen-simulation`. */
  readonly format: 'contentgen-simulation';
  /** The version of the format. */
  readonly version: 1;
  /** The seed of the run. */
  readonly seed: number;
  /** Why it failed. */
  readonly cause: string;
  /** The choices other than the harmless ones, in the order in which they were made. */
  readonly choices: Readonly<Record<string, number>>;
  /** The faults among them, in human-readable form. */
  readonly faults: readonly string[];
  /** What happened, in human-readable form. */
  readonly timeline: string;
  /** The steps of the run. */
  readonly trace: readonly TraceEntry[];
  /** SHA-256 over the full run of the seed. */
  readonly traceHash: string;
  /** SHA-256 over the reduced run. */
  readonly reducedHash: string;
  /** How to run it again. */
  readonly replay: string;
  /** The file whose default export `contentgen simulate` ran. */
  readonly module?: string;
  /** The file that called `simulate`, relative to the working directory. */
  readonly caller?: string;
}

/** Reads a file that the simulation wrote; undefined if the text is something else, or from a later version. */
export function parseReproduction(text: string): Reproduction | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isReproduction(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Checked field by field, because files get edited, cut off and mixed up. */
function isReproduction(value: unknown): value is Reproduction {
  const fields = Object(value) as Record<string, unknown>;
  const { format, version, seed, choices, faults, trace } = fields;
  const { module = '', caller = '' } = fields;
  return (
    format === 'contentgen-simulation' &&
    version === 1 &&
    Number.isSafeInteger(seed) &&
    typeof choices === 'object' &&
    choices !== null &&
    Object.values(choices).every(Number.isSafeInteger) &&
    Array.isArray(faults) &&
    faults.every(isText) &&
    Array.isArray(trace) &&
    trace.every(isEntry) &&
    [module, caller, ...TEXTS.map((name) => fields[name])].every(isText)
  );
}

const TEXTS = ['cause', 'timeline', 'replay', 'traceHash', 'reducedHash'] as const;

const isText = (value: unknown): value is string => typeof value === 'string';

function isEntry(value: unknown): value is TraceEntry {
  const { at, who, what, detail = '' } = Object(value) as Record<string, unknown>;
  return Number.isSafeInteger(at) && [who, what, detail].every(isText);
}

/** The environment variable that names a file to replay. */
export const REPLAYED_FILE = 'SIMULATE_REPLAY';

/** The command that runs only the faults in a file. */
export function replayFileLine({ replay }: Pick<Reproduction, 'replay'>, file: string): string {
  return replay.replace(/^SIMULATE_SEED=\d+/, () => `${REPLAYED_FILE}=${shellWord(file)}`);
}

/** Quotes a text, if necessary, as one word for a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** How to read such a file in a browser. */
export const DASHBOARD_HINT =
  'To read it in a browser, run npx contentgen mock and drop the file on the Simulation page of the dashboard.';
