import { describe, expect, test } from 'vitest';
import { clientOf, type Reaction, useService } from './support/service.ts';

describe('an error body that is no problem document', () => {
  const service = useService();
  const fail = async (reaction: Reaction) => {
    service.script(reaction);
    const { client } = clientOf(service, { maxRetries: 0 });
    return (await client.apiKeys.create({ name: 'ci' }).safe()).error as Error;
  };

  test('shows its message if there is one place for it, and error.body holds it', async () => {
    const json = { error: { type: 'busy', message: 'Try later' } };
    const error = await fail({ status: 429, json });
    expect(error.message).toMatch(/ The service says: Try later$/);
    expect(error).toMatchObject({ code: 'rate_limited', body: json });
    expect(Object.keys(error)).not.toContain('body');
    expect(JSON.stringify(error)).not.toContain('Try later');
    const unclear = await fail({ status: 429, json: { message: 'one', error: 'two' } });
    expect(unclear.message).not.toContain('says');
    expect(await fail({ status: 502, text: '<html>' })).toMatchObject({
      body: '<html>',
    });
  });
});
