import { assertKnownOptions } from '../domain/known-options.ts';
import type { InvariantOptions } from './invariants.ts';
import type { SimulateOptions } from './options.ts';

const optionNames: Record<keyof SimulateOptions<unknown>, true> = {
  ...{ seeds: true, chaos: true, app: true, receive: true, run: true, check: true, always: true },
  ...{ effects: true, invariants: true, replicas: true, url: true, globals: true, server: true },
  ...{ settleFor: true, shrinkMs: true, patience: true, progress: true, reproductions: true },
};
const invariantNames: Record<keyof InvariantOptions, true> = {
  ...{ effects: true, billing: true, rejections: true, waits: true, secrets: true },
};
const required = ['app', 'run'] as const;
const functions = ['receive', 'check', 'always', 'effects'] as const;
const waits = ['shrinkMs', 'patience'] as const;

/** Rejects unknown and invalid options: a simulation that ignored one would check less than it was asked to. @throws TypeError that names what is wrong */
export function checkOptions<App>(options: SimulateOptions<App>): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('simulate needs options: simulate({ app, receive, run }).');
  }
  assertKnownOptions('simulate', options, optionNames);
  for (const name of required) {
    if (typeof options[name] !== 'function') throw new TypeError(`${name} must be a function.`);
  }
  for (const name of functions) {
    const value = options[name];
    if (value !== undefined && typeof value !== 'function') {
      throw new TypeError(`${name} must be a function.`);
    }
  }
  for (const name of waits) {
    const { [name]: ms = 0 } = options;
    if (!(Number.isFinite(ms) && ms >= 0)) {
      throw new TypeError(`${name} must be a number of milliseconds, 0 or more.`);
    }
  }
  const { replicas = 1, url = '', invariants = {} } = options;
  if (!Number.isInteger(replicas) || replicas < 1) {
    throw new TypeError('replicas must be a whole number of at least 1.');
  }
  if (url !== '' && !URL.canParse(url)) throw new TypeError('url must be an absolute URL.');
  if (invariants === false) return;
  if (typeof invariants !== 'object' || invariants === null) {
    throw new TypeError('invariants must be an object, or false to switch all of them off.');
  }
  assertKnownOptions('simulate: invariants', invariants, invariantNames);
}
