import type { WebhookEventOf } from 'contentgen/webhooks';
import { expectTypeOf, test } from 'vitest';
import type * as z from 'zod/mini';
import type { components } from '../../src/generated/openapi.ts';
import type * as schemas from '../../src/generated/schemas.ts';

type Contract = components['schemas'];
type Generated = typeof schemas;
type Shared = keyof Contract & keyof Generated;

/** The names of the declared keys. A loose object would hide a missing optional key behind its index signature. */
type KnownKeys<T> = T extends unknown
  ? keyof { [K in keyof T as string extends K ? never : K]: 1 }
  : never;

/** The names of the component schemas whose generated schema differs from the generated type. */
type Disagreeing = {
  [Name in Shared]: Generated[Name] extends z.ZodMiniType
    ? Contract[Name] extends z.input<Generated[Name]>
      ? KnownKeys<Contract[Name]> extends KnownKeys<z.input<Generated[Name]>>
        ? KnownKeys<z.input<Generated[Name]>> extends KnownKeys<Contract[Name]>
          ? never
          : Name
        : Name
      : Name
    : Name;
}[Shared];

test('each component schema has a generated schema', () => {
  expectTypeOf<Exclude<keyof Contract, keyof Generated>>().toEqualTypeOf<never>();
});

test('generated schemas accept the generated types and have the same keys', () => {
  expectTypeOf<Disagreeing>().toEqualTypeOf<never>();
});

test('the two events of a callback have the two forms of its body', () => {
  expectTypeOf<
    WebhookEventOf<'generation_completed' | 'generation_failed'>['payload']
  >().toEqualTypeOf<Contract['GenerationResultCallback']>();
});
