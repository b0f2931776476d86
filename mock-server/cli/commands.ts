import type { Command } from './command.ts';

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Every command; its file is loaded only when it is used. */
export const COMMANDS = {
  mock: {
    summary: 'Start the reference server',
    load: async () => (await import('./commands/mock.ts')).mock,
  },
  trigger: {
    summary: 'Trigger a system event on a running server',
    load: async () => (await import('./commands/trigger.ts')).trigger,
  },
  keys: {
    summary: 'Create, list, revoke and regenerate API keys',
    load: async () => (await import('./commands/keys.ts')).keys,
  },
  redeliver: {
    summary: 'Resend what a receiver missed in an outage',
    load: async () => (await import('./commands/redeliver.ts')).redeliver,
  },
  audit: {
    summary: 'Send a receiver valid and forged deliveries and report its responses',
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  doctor: {
    summary: 'Check URL, key, clock and secret; explain why a signature fails',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  conform: {
    summary: 'Find out where a service differs, and write the file that adapts to it',
    load: async () => (await import('./commands/conform.ts')).conform,
  },
  openapi: {
    summary: 'Print the contract in the names of a deployment',
    load: async () => (await import('./commands/openapi.ts')).openapi,
  },
} satisfies Readonly<Record<string, Entry>>;
