import { baseUrlOf, DEFAULT_URL, printJson, withServer } from '../connection.ts';
import type { Terminal } from '../terminal.ts';
import { objectOf, readArguments } from '../usage.ts';
import { eventOf } from './event-names.ts';

/** `contentgen trigger EVENT`: raises an event on a running server. */
export async function trigger(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(
    argv,
    {
      url: { type: 'string', default: DEFAULT_URL },
      data: { type: 'string' },
      organization: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
    { least: 1, names: 'EVENT' },
  );
  const event = eventOf('EVENT', positionals[0] ?? '');
  const payload = values.data === undefined ? undefined : objectOf('--data', values.data);
  const { organization } = values;
  const target = organization === undefined ? undefined : { organization };
  return withServer(baseUrlOf(values.url), async ({ control }) => {
    const deliveries = await control.trigger(event, payload, target);
    if (values.json) {
      printJson(terminal, { event, deliveries });
      return 0;
    }
    const { paint } = terminal;
    if (deliveries.length === 0) {
      terminal.out(`${event}: no enabled webhook is registered for it.`);
    }
    for (const { id, url } of deliveries) {
      terminal.out(`${paint('green', event)} → ${url}  ${paint('dim', id)}`);
    }
    return 0;
  });
}
