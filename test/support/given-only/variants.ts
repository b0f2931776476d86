/** A way to fill the gaps of the specification. What it gives is the same in all of them. */
export interface Variant {
  /** The member that holds the body of each response and callback. */
  readonly wrap?: string;
  /** The status of the acknowledgement. */
  readonly acknowledgement: 200 | 202;
  /** In front of every path. */
  readonly prefix: '' | '/v2';
  readonly keysPath: '/api/auth/api-keys' | '/api-keys/generate';
  readonly encoding: 'hex' | 'base64';
  /** In front of the digest. */
  readonly digestPrefix: '' | 'sha256=';
  /** The body of an error, or none. */
  readonly errors: 'none' | 'html' | 'json';
  /** What the response to a registration contains. */
  readonly registration: 'echo' | 'nothing';
  /** Where the service keeps each value; a dot starts a member of a member. */
  readonly names: {
    readonly webhookUrl: string;
    readonly requestId: string;
    readonly result: string;
    readonly model: string;
    readonly totalTokens: string;
    readonly key: string;
  };
}

const given = {
  webhookUrl: 'webhookUrl',
  requestId: 'requestId',
  result: 'result',
  model: 'model',
  totalTokens: 'usage.totalTokens',
  key: 'key',
};

const plain: Variant = {
  acknowledgement: 202,
  prefix: '',
  keysPath: '/api/auth/api-keys',
  encoding: 'hex',
  digestPrefix: '',
  errors: 'none',
  registration: 'echo',
  names: given,
};

/** Five services that conform to the specification. No two agree on what it leaves open. */
export const variants = {
  plain,
  wrapped: {
    ...plain,
    wrap: 'data',
    acknowledgement: 200,
    encoding: 'base64',
    errors: 'html',
    names: { ...given, key: 'apiKey' },
  },
  prefixed: {
    ...plain,
    acknowledgement: 200,
    keysPath: '/api-keys/generate',
    digestPrefix: 'sha256=',
    errors: 'json',
    registration: 'nothing',
    names: { ...given, key: 'token' },
  },
  renamed: {
    ...plain,
    errors: 'html',
    names: {
      webhookUrl: 'callbackUrl',
      requestId: 'id',
      result: 'output',
      model: 'engine',
      totalTokens: 'tokens.total',
      key: 'api_key',
    },
  },
  mixed: {
    ...plain,
    wrap: 'data',
    prefix: '/v2',
    encoding: 'base64',
    digestPrefix: 'sha256=',
    registration: 'nothing',
    names: { ...given, requestId: 'job.id', key: 'credential.secret' },
  },
} as const satisfies Record<string, Variant>;

export type VariantName = keyof typeof variants;

export const variantNames = Object.keys(variants) as VariantName[];
