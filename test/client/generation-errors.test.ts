import { describe, expect, test } from 'vitest';
import { clientOf, problem, type Reaction, useService } from './support/service.ts';

describe('the generation of an error', () => {
  const service = useService();
  const named = { generationId: 'gen_1' };
  const failureOf = (promise: PromiseLike<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    );

  test('is named when a known stream cannot be opened', async () => {
    const { client } = clientOf(service);
    service.script(problem(404, 'not_found'));
    expect(await failureOf(client.content.watch('gen_1').final())).toMatchObject(named);
    expect(await failureOf(client.content.watch('gen_1').withResponse())).toMatchObject(named);
  });

  test.each<[string, Reaction]>([
    ['it fails', problem(500, 'generation_failed', { generationId: 'gen_1' })],
    ['the response has no result', { json: { requestId: 'gen_1', status: 'completed' } }],
  ])('is named by generate when %s', async (_, reaction) => {
    const { client } = clientOf(service, { maxRetries: 0 });
    service.script(reaction);
    const error = await failureOf(client.content.generate({ prompt: 'p' }));
    expect(error).toMatchObject(named);
  });
});

describe('the words of the service', () => {
  const service = useService();
  const prompt = 'write a poem about my rival Acme';

  test.each([
    ['the key', 'The key cg_test_key is revoked.', 'The key … is revoked.'],
    ['the prompt', 'Refused: write a poem about my rival Acme', 'Refused: …'],
    ['a part of it', 'Refused: "a poem about my ri…"', 'Refused: "……"'],
  ])('a message does not quote %s, also if the service does', async (_, detail, shown) => {
    service.script(problem(400, 'invalid_request', { detail }));
    const { client } = clientOf(service, { maxRetries: 0 });
    const { error } = await client.content.generate({ prompt }).safe();
    expect(error?.message).toMatch(new RegExp(`The service says: ${shown}$`));
    expect(JSON.stringify(error)).not.toMatch(/Acme|cg_test_key|service says/);
  });
});
