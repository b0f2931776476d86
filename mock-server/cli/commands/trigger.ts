import { triggerEvents } from '../../control/trigger/trigger.ts';
import { callbackEvents, systemEvents } from '../../domain/event-names.ts';
import { addressOf, printAddress, urlFlag } from '../address.ts';
import { defineCommand } from '../command.ts';
import { CommandError, controlTokenFlag, withServer } from '../connection.ts';
import { deploymentFlag } from '../deployment-flag.ts';
import { option, toggle } from '../flags.ts';
import { toJsonLine } from '../terminal.ts';
import { anyText, jsonObject, oneOf } from '../values.ts';

export const trigger = defineCommand({
  description: 'Trigger a system event or a result callback on a running server.',
  operands: { name: 'EVENT', least: 1, most: 1 },
  note: `EVENT is one of ${systemEvents.join(', ')},
  or ${callbackEvents.join(' or ')}, with webhookUrl in --data.`,
  flags: {
    url: urlFlag,
    'control-token': controlTokenFlag,
    deployment: deploymentFlag,
    data: option(
      'JSON',
      'Fields of the payload to set; the server fills in the others',
      jsonObject,
    ),
    organization: option('ID', 'The organization; the first one by default', anyText),
    json: toggle('Print JSON'),
  },
  examples: [
    'contentgen trigger usage_threshold',
    `contentgen trigger invoice_paid --data '{ "invoice": { "amountDue": 4200 } }'`,
    `contentgen trigger generation_completed --data '{ "webhookUrl": "http://localhost:3000/callbacks" }'`,
  ],
  async run(line, terminal) {
    const { flags, operands } = line;
    const event = oneOf(triggerEvents)(operands[0] ?? '', 'EVENT');
    const { organization } = flags;
    const target = organization === undefined ? undefined : { organization };
    const address = addressOf(line, flags.url);
    printAddress(address, terminal);
    return withServer(address, flags, async ({ control }) => {
      const deliveries = await control.trigger(event, flags.data, target);
      if (!Array.isArray(deliveries)) {
        throw new CommandError(`${address.url} did not respond with a list of deliveries.`);
      }
      if (flags.json) {
        terminal.out(toJsonLine({ event, deliveries }));
        return deliveries.length > 0 ? 0 : 1;
      }
      if (deliveries.length === 0) {
        throw new CommandError(
          `${event}: no enabled webhook is registered for this event. Register one with client.webhooks.create({ event: '${event}', url }).`,
        );
      }
      const { paint } = terminal;
      for (const { id, url } of deliveries) {
        terminal.out(`${paint('green', event)} → ${url}  ${paint('dim', id)}`);
      }
      return 0;
    });
  },
});
