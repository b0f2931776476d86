import type {
  ApiKey,
  ApiPromise,
  CompletedGeneration,
  components,
  Generation,
  GenerationJob,
  GenerationResult,
  GenerationStream,
  ListPromise,
  Page,
} from 'contentgen';
import { ContentGen, isApiError, isContentGenError } from 'contentgen';
import { expectTypeOf, test } from 'vitest';

declare const client: ContentGen;
declare const error: unknown;
declare const maybeUrl: string | undefined;
const prompt = 'p';
const webhookUrl = 'https://a.example';

test('the result of generate depends on its arguments', () => {
  expectTypeOf(client.content.generate({ prompt })).toEqualTypeOf<
    ApiPromise<CompletedGeneration>
  >();
  expectTypeOf(client.content.generate({ prompt, webhookUrl })).toEqualTypeOf<
    ApiPromise<GenerationJob>
  >();
  expectTypeOf(client.content.generate({ prompt, webhookUrl: undefined })).toEqualTypeOf<
    ApiPromise<CompletedGeneration>
  >();
  const request: { prompt: string; webhookUrl?: string } = { prompt };
  for (const call of [
    client.content.generate({ prompt, webhookUrl: maybeUrl }),
    client.content.generate(request),
  ])
    expectTypeOf(call).toEqualTypeOf<ApiPromise<CompletedGeneration | GenerationJob>>();
  expectTypeOf<CompletedGeneration['result']>().toEqualTypeOf<string>();
  expectTypeOf<CompletedGeneration['usage']['totalTokens']>().toEqualTypeOf<number>();
  expectTypeOf<CompletedGeneration['status']>().toEqualTypeOf<'completed'>();
  expectTypeOf<Generation['result']>().toEqualTypeOf<string | undefined>();
});

test('a job can be waited for and resumed', () => {
  expectTypeOf<GenerationJob['status']>().toEqualTypeOf<'processing'>();
  expectTypeOf<GenerationJob['wait']>().returns.toEqualTypeOf<Promise<GenerationResult>>();
  expectTypeOf<CompletedGeneration>().toExtend<GenerationResult>();
  expectTypeOf(client.content.resume(JSON.parse('{}'))).toEqualTypeOf<GenerationJob>();
  // @ts-expect-error a handle has a requestId
  client.content.resume({ id: 'gen_1' });
});

test('a stream yields text, a list yields items and pages', async () => {
  expectTypeOf(client.content.stream({ prompt })).toEqualTypeOf<GenerationStream>();
  for await (const delta of client.content.stream({ prompt }))
    expectTypeOf(delta).toEqualTypeOf<string>();
  expectTypeOf(
    client.content.stream({ prompt }).final(),
  ).resolves.toEqualTypeOf<CompletedGeneration>();
  expectTypeOf(client.content.list()).toEqualTypeOf<ListPromise<Generation>>();
  expectTypeOf(await client.content.list()).toEqualTypeOf<Page<Generation>>();
  for await (const item of client.content.list({ status: 'failed' }))
    expectTypeOf(item).toEqualTypeOf<Generation>();
});

test('safe() is a union that narrows', async () => {
  const outcome = await client.usage.get().safe();
  if (outcome.ok) expectTypeOf(outcome.value.used).toEqualTypeOf<number>();
  else expectTypeOf(outcome.error.code).toExtend<string>();
  // @ts-expect-error there is a value only if ok is true
  outcome.value.used;
});

test('withResponse() keeps the type of the data', async () => {
  const { data, response, requestId } = await client.content.generate({ prompt }).withResponse();
  expectTypeOf(data).toEqualTypeOf<CompletedGeneration>();
  expectTypeOf(response).toEqualTypeOf<Response>();
  expectTypeOf(requestId).toEqualTypeOf<string | undefined>();
});

test('enums are open for reading, closed for writing', () => {
  expectTypeOf<'of_a_later_version'>().toExtend<ApiKey['status']>();
  // @ts-expect-error no such role
  void client.apiKeys.create({ role: 'owner' });
  // @ts-expect-error no such event
  void client.webhooks.create({ event: 'usage', url: webhookUrl });
  // @ts-expect-error no such status
  void client.content.list({ status: 'done' });
});

test('anything misspelled, missing or of the wrong type does not compile', () => {
  // @ts-expect-error misspelled option
  new ContentGen({ maxRetry: 2 });
  // @ts-expect-error misspelled field
  void client.content.generate({ prompt, webhookURL: webhookUrl });
  // @ts-expect-error the prompt is missing
  void client.content.generate({ webhookUrl });
  // @ts-expect-error streams have their own method
  void client.content.generate({ prompt, stream: true });
  // @ts-expect-error an id is a string
  void client.apiKeys.get(7);
  // @ts-expect-error the event of a registration cannot be changed
  void client.webhooks.update('wh_1', { event: 'usage_threshold' });
  // @ts-expect-error since is needed
  void client.webhooks.redeliverFailed('wh_1', {});
  // @ts-expect-error only finished deliveries
  void client.webhooks.redeliverFailedCallbacks({ since: new Date(0), status: 'pending' });
});

test('errors narrow by operation and status', () => {
  if (isContentGenError(error))
    expectTypeOf(error.idempotencyKey).toEqualTypeOf<string | undefined>();
  if (isApiError(error)) expectTypeOf(error.status).toEqualTypeOf<number>();
  if (isApiError(error, 'generateContent', 422)) {
    expectTypeOf(error.status).toEqualTypeOf<422>();
    expectTypeOf(error.operation).toExtend<'generateContent' | undefined>();
    expectTypeOf(error.problem).toExtend<components['schemas']['UnprocessableProblem']>();
    expectTypeOf(error.errors[0]?.pointer).toEqualTypeOf<string | undefined>();
    expectTypeOf(error.code).toEqualTypeOf<
      'validation_failed' | 'model_not_found' | 'idempotency_key_reused'
    >();
  }
  if (isApiError(error, 'generateContent', 429)) {
    expectTypeOf(error.code).toEqualTypeOf<'rate_limited' | 'quota_exceeded'>();
  }
  if (isApiError(error, 'cancelGeneration') && error.status === 409) {
    expectTypeOf(error.code).toEqualTypeOf<'idempotency_in_progress' | 'invalid_state'>();
  }
  // @ts-expect-error reading the usage has no 409
  isApiError(error, 'getUsage', 409);
  // @ts-expect-error no such operation
  isApiError(error, 'generate');
});

test('client.http is typed by path', async () => {
  const { data, error: problem } = await client.http.GET('/api/usage');
  expectTypeOf(data?.quota).toEqualTypeOf<number | undefined>();
  expectTypeOf(problem?.code).toExtend<string | undefined>();
  // @ts-expect-error no such path
  void client.http.GET('/api/usages');
  // @ts-expect-error the id is needed
  void client.http.GET('/api/webhooks/{id}');
});

test('a generation narrows on its status', () => {
  const show = (generation: Generation) => {
    switch (generation.status) {
      case 'completed':
        expectTypeOf(generation.result).toEqualTypeOf<string>();
        return expectTypeOf(generation.usage.totalTokens).toEqualTypeOf<number>();
      case 'failed':
        return expectTypeOf(generation.error.code).toEqualTypeOf<string>();
      default:
        return expectTypeOf(generation.result).toEqualTypeOf<undefined>();
    }
  };
  expectTypeOf(show).toBeFunction();
});

test("a page's cursor can be passed on, and a page has the next one", async () => {
  const page = await client.content.list({ limit: 5 });
  client.content.list({ cursor: page.nextCursor, status: undefined });
  client.webhooks.listDeliveries('wh_1', { cursor: page.nextCursor });
  expectTypeOf(await page.nextPage()).toEqualTypeOf<Page<Generation> | undefined>();
  expectTypeOf(await client.content.list().toArray({ limit: 5 })).toEqualTypeOf<Generation[]>();
});

test('optional fields of requests may be undefined', () => {
  const maybe = undefined as number | undefined;
  const text = undefined as string | undefined;
  client.content.generate({ prompt, seed: maybe, model: text, temperature: maybe });
  client.apiKeys.create({ name: text, expiresAt: text });
  client.webhooks.update('wh_1', { description: text, threshold: maybe });
});

test('start always returns a job', () => {
  expectTypeOf(client.content.start({ prompt, webhookUrl })).toEqualTypeOf<
    ApiPromise<GenerationJob>
  >();
  // @ts-expect-error it needs a webhookUrl
  client.content.start({ prompt });
});
