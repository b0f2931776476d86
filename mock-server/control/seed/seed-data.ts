import type { SystemEvent } from '../../domain/records.ts';

/** A time: RFC 3339 such as `'2026-02-01T00:00:00Z'`, or relative to the server's start, such as `'3 days ago'`. */
export type SeedTime = string;

/** An API key. */
export interface SeedKey {
  /** `key_` and 26 characters of a ULID in lower case. @default a generated id */
  readonly id?: string;
  /** 1 to 100 characters. @default 'API key' */
  readonly name?: string;
  /**
   * The role of the key.
   * @default 'member'
   */
  readonly role?: 'admin' | 'member';
  /** The key itself, with the format and checksum of an API key. @default a generated key, which is never shown */
  readonly key?: string;
  /** When the key expires: a time such as `'2026-02-01T00:00:00Z'`, never relative. @default never */
  readonly expiresAt?: string;
  /** When the key was revoked. */
  readonly revokedAt?: SeedTime;
  /**
   * When the key was created.
   * @default the server's start
   */
  readonly createdAt?: SeedTime;
}

/** A webhook registration. */
export interface SeedWebhook {
  /** `wh_` and 26 characters of a ULID in lower case. @default a generated id */
  readonly id?: string;
  /** The event to register for. */
  readonly event: SystemEvent;
  /** Where events are posted. The rules of `createWebhook` apply. */
  readonly url: string;
  /** A note. */
  readonly description?: string;
  /** Share of the quota, above 0 and up to 1; only for `usage_threshold`. @default 0.9 */
  readonly threshold?: number;
  /** `whsec_` and 24 to 64 bytes in base64. @default a generated secret */
  readonly secret?: string;
  /** 16 to 256 visible ASCII characters. */
  readonly token?: string;
  /**
   * Whether events are delivered.
   * @default 'enabled'
   */
  readonly status?: 'enabled' | 'disabled';
  /**
   * When the registration was created.
   * @default the server's start
   */
  readonly createdAt?: SeedTime;
}

/** A past generation. One that was completed in the current month counts as usage. */
export interface SeedGeneration {
  /** `gen_` and 26 characters of a ULID in lower case. @default a generated id */
  readonly id?: string;
  /** The prompt. */
  readonly prompt: string;
  /**
   * How it ended.
   * @default 'completed'
   */
  readonly status?: 'completed' | 'failed' | 'canceled';
  /** The text; required for a completed generation. */
  readonly result?: string;
  /**
   * Name of the model.
   * @default 'content-1'
   */
  readonly model?: string;
  /** Why it failed. @default 'The model failed to generate a result.' */
  readonly error?: string;
  /** Where its result was posted. */
  readonly webhookUrl?: string;
  /** The caller's key-value pairs. */
  readonly metadata?: Readonly<Record<string, string>>;
  /**
   * When the generation was accepted.
   * @default the server's start
   */
  readonly createdAt?: SeedTime;
}

/** Records of one organization. */
export interface SeedRecords {
  /** API keys to create. */
  readonly keys?: readonly SeedKey[];
  /** Registrations to create. */
  readonly webhooks?: readonly SeedWebhook[];
  /** Generations to create. */
  readonly generations?: readonly SeedGeneration[];
}

/** An organization to create. */
export interface SeedOrganization extends SeedRecords {
  /** 1 to 64 letters, digits, `_` and `-`. @default a generated id */
  readonly id?: string;
  /** Id of its project, in the same format. @default a generated id */
  readonly project?: string;
  /** Tokens per calendar month. @default the server's quota */
  readonly quota?: number;
  /** Signs the result callbacks: `whsec_` and 24 to 64 bytes in base64. @default a generated secret */
  readonly signingSecret?: string;
}

/**
 * Records that a new server starts with. The first organization is the server's own, to which `adminKey` and
 * `memberKey` belong; records outside of `organizations` are added to it.
 */
export interface SeedData extends SeedRecords {
  /** The organizations to create. */
  readonly organizations?: readonly SeedOrganization[];
}

/** Where a mistake is in the seed data, for instance `['organizations', 0, 'keys', 1, 'role']`. */
export type SeedPath = readonly (string | number)[];

/** The path as code would write it: `organizations[0].keys[1].role`. */
export function formatSeedPath(path: SeedPath): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index > 0 ? `.${part}` : part))
    .join('');
}

/** The organizations of seed data; the first one includes the records outside of them. */
export function organizationsOfSeed(data: SeedData): SeedOrganization[] {
  const [first = {}, ...others] = data.organizations ?? [];
  return [
    {
      ...first,
      keys: [...(first.keys ?? []), ...(data.keys ?? [])],
      webhooks: [...(first.webhooks ?? []), ...(data.webhooks ?? [])],
      generations: [...(first.generations ?? []), ...(data.generations ?? [])],
    },
    ...others,
  ];
}
