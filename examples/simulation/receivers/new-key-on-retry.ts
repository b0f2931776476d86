import type { InstanceContext } from 'contentgen/simulate';
import { correct } from './correct.ts';

/** Bug: the service takes each retry for a new request, so it does the work and bills it again. */
export function newKeyOnRetry(context: InstanceContext) {
  const { client, url } = context;
  const impatient = client.withOptions({ maxRetries: 0 });
  return {
    webhooks: correct(context).webhooks,
    async order(number: number, prompt: string): Promise<void> {
      const request = { prompt, metadata: { order: `${number}` }, webhookUrl: url };
      for (let tries = 1; ; tries += 1) {
        try {
          await impatient.content.start(request);
          return;
        } catch (error) {
          if (tries === 3) throw error;
        }
      }
    },
  };
}
