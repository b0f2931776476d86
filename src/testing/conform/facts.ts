import { schemas } from '../../generated/names.ts';
import { isObject } from '../../options/values.ts';
import type { ConformanceLine } from './options.ts';

type Json = Record<string, unknown>;

interface Fact {
  readonly path: readonly [field: string, name?: string];
  readonly value: unknown;
  /** What no line in the file means. */
  readonly standard: unknown;
  /** What the file said, if that is not at its path. */
  readonly before?: unknown;
  readonly evidence: string;
  readonly confirm?: true;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What a run has seen, over what was known beforehand. */
export class Facts {
  readonly known: Json;
  readonly #facts = new Map<string, Fact>();

  constructor(known: object = {}) {
    this.known = structuredClone(known) as Json;
  }

  /** Keeps what was seen. What is seen first stands; `false` if this contradicts it. */
  note(path: Fact['path'], value: unknown, standard: unknown, evidence: string): boolean {
    const seen = this.#facts.get(path.join('.'));
    if (seen && !seen.confirm) return same(seen.value, value);
    this.#keep({ path, value, standard, evidence });
    return true;
  }

  /** A guess for the user to confirm: it goes into no file. */
  guess(path: Fact['path'], value: unknown, evidence: string): void {
    const isKnown = same(this.#expected(path, undefined), value);
    if (!isKnown && !this.#facts.has(path.join('.')))
      this.#keep({ path, value, standard: undefined, evidence, confirm: true });
  }

  /** Their name for one of our fields. A name that differs between bodies is kept for its schema alone. */
  field(schema: string, ours: string, theirs: string, evidence: string): void {
    const fields = Object(this.known['fields']) as Json;
    const scoped = `${schemas[schema]?.scopes.at(-1) ?? schema}.${ours}`;
    const isScoped = Object.hasOwn(fields, scoped) || ours === 'id';
    if (!isScoped && this.note(['fields', ours], theirs, ours, evidence)) return;
    const before = fields[ours] ?? ours;
    const standard = this.#facts.get(`fields.${ours}`)?.value ?? before;
    if (!this.#facts.has(`fields.${scoped}`))
      this.#keep({ path: ['fields', scoped], value: theirs, standard, before, evidence });
  }

  /** What was taken for a wrapper holds only a part of the body: its fields stand behind its name. */
  unwrap(): void {
    const seen = this.#facts.get('wrap');
    if (seen?.value === undefined) return;
    const wrap = seen.value;
    this.#facts.set('wrap', { ...seen, value: undefined });
    for (const [line, fact] of this.#facts) {
      const isInside = fact.path[0] === 'fields' && fact.path[1] !== 'prompt';
      if (isInside) this.#facts.set(line, { ...fact, value: `${wrap}.${fact.value}` });
    }
  }

  value(field: string, name?: string): unknown {
    const fact = this.#facts.get(name === undefined ? field : `${field}.${name}`);
    if (fact && !fact.confirm) return fact.value;
    return this.#expected(name === undefined ? [field] : [field, name], undefined);
  }

  get isUnproven(): boolean {
    const isSeen = this.#facts.size === 0 || this.#facts.has('idempotency');
    return !isSeen && this.value('idempotency') === undefined;
  }

  /** Whether this run, or the file, has it nowhere; what is only a guess counts. */
  isAbsent(operation: string): boolean {
    const fact = this.#facts.get(`absent.${operation}`);
    return (fact ? fact.value : this.value('absent', operation)) === true;
  }

  /** Where what was seen is not what was known, or what the contract says. */
  lines(): readonly ConformanceLine[] {
    return [...this.#facts.values()].flatMap((fact) => this.#lineOf(fact) ?? []);
  }

  /** What was known with what was seen in it. What was not seen is kept. */
  deployment(): Json {
    const file = structuredClone(this.known);
    for (const { path, value, standard, confirm } of this.#facts.values()) {
      if (confirm) continue;
      const [field, name] = path;
      if (field === 'absent') setAbsent(file, name as string, value === true);
      else if (name === undefined) set(file, field, value, standard);
      else {
        const group = isObject(file[field]) ? file[field] : {};
        set(group, name, value, standard);
        set(file, field, Object.keys(group).length > 0 ? group : undefined, undefined);
      }
    }
    return file;
  }

  #keep(fact: Fact): void {
    this.#facts.set(fact.path.join('.'), fact);
  }

  #lineOf(fact: Fact): ConformanceLine | undefined {
    const { path, value, standard, before = standard, evidence, confirm } = fact;
    const was = this.#expected(path, before);
    if (same(was, value)) return undefined;
    return { line: path.join('.'), value, was, evidence, ...(confirm && { confirm }) };
  }

  #expected([field, name]: Fact['path'], standard: unknown): unknown {
    const line = this.known[field];
    if (field === 'absent') return Array.isArray(line) && line.includes(name);
    if (name === undefined) return line ?? standard;
    return isObject(line) && Object.hasOwn(line, name) ? line[name] : standard;
  }
}

function set(target: Json, name: string, value: unknown, standard: unknown): void {
  if (same(value, standard)) delete target[name];
  else target[name] = value;
}

function setAbsent(file: Json, operation: string, isAbsent: boolean): void {
  const all = [file['absent'] ?? []].flat();
  if (all.includes(operation) === isAbsent) return;
  const others = isAbsent ? [...all, operation] : all.filter((one) => one !== operation);
  set(file, 'absent', others.length > 0 ? others : undefined, undefined);
}
