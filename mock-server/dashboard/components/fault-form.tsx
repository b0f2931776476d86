import { useState } from 'preact/hooks';
import type { OperationId } from '../../../src/index.ts';
import type { DeliveryEffect, OperationEffect } from '../../index.ts';
import {
  deliveryEffects,
  type EffectName,
  effectForms,
  effectOf,
  operationEffects,
} from '../logic/faults.ts';
import { control } from '../state/control.ts';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { FormEnd } from './form-end.tsx';
import { systemEvents } from './webhook-form.tsx';

/** Complete, or it does not compile. */
const operations = Object.keys({
  generateContent: true,
  listGenerations: true,
  getGeneration: true,
  cancelGeneration: true,
  createApiKey: true,
  createApiKeyAlias: true,
  listApiKeys: true,
  getApiKey: true,
  revokeApiKey: true,
  regenerateApiKey: true,
  createWebhook: true,
  listWebhooks: true,
  getWebhook: true,
  updateWebhook: true,
  deleteWebhook: true,
  rotateWebhookSecret: true,
  testWebhook: true,
  listDeliveries: true,
  listCallbackDeliveries: true,
  redeliver: true,
  redeliverFailed: true,
  getSigningSecret: true,
  rotateSigningSecret: true,
  getUsage: true,
} satisfies Record<OperationId, true>);

const messages = ['*', 'generation_completed', 'generation_failed', ...systemEvents];

type Target = 'operation' | 'delivery';

export function FaultForm({ onClose }: { onClose: () => void }) {
  const [target, setTarget] = useState<Target>('operation');
  const [name, setName] = useState('generateContent');
  const [effect, setEffect] = useState<EffectName>('status');
  const [value, setValue] = useState('503');
  const [times, setTimes] = useState('1');
  const [chance, setChance] = useState('100');
  const effects: readonly EffectName[] =
    target === 'operation' ? operationEffects : deliveryEffects;
  const { number } = effectForms[effect];

  const choose = (next: EffectName) => {
    setEffect(next);
    setValue(String(effectForms[next].number?.start ?? ''));
  };
  const aim = (next: Target) => {
    setTarget(next);
    setName(next === 'operation' ? 'generateContent' : '*');
    choose(next === 'operation' ? 'status' : 'drop');
  };
  const add = useAction(async () => {
    await control.faults.add({
      ...(target === 'operation'
        ? { operation: name, effect: effectOf<OperationEffect>(effect, Number(value)) }
        : { delivery: name, effect: effectOf<DeliveryEffect>(effect, Number(value)) }),
      ...(times !== '' && { times: Number(times) }),
      ...(Number(chance) < 100 && { probability: Number(chance) / 100 }),
    });
    onClose();
    return 'The fault waits to strike.';
  });

  return (
    <Dialog title="Add a fault" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void add.run();
        }}
      >
        <div class="fields">
          <Field label="Strikes">
            <select
              value={target}
              onChange={({ currentTarget }) => aim(currentTarget.value as Target)}
            >
              <option value="operation">a call of the API</option>
              <option value="delivery">a delivery</option>
            </select>
          </Field>
          <Field label={target === 'operation' ? 'Operation' : 'Event'}>
            <select value={name} onChange={({ currentTarget }) => setName(currentTarget.value)}>
              {(target === 'operation' ? ['*', ...operations] : messages).map((option) => (
                <option key={option} value={option}>
                  {option === '*' ? 'any' : option}
                </option>
              ))}
            </select>
          </Field>
        </div>
        <div class="fields">
          <Field label="Effect">
            <select
              value={effect}
              onChange={({ currentTarget }) => choose(currentTarget.value as EffectName)}
            >
              {effects.map((option) => (
                <option key={option} value={option}>
                  {effectForms[option].name}
                </option>
              ))}
            </select>
          </Field>
          {number ? (
            <Field label={number.label}>
              <input
                type="number"
                min="0"
                required
                value={value}
                onInput={({ currentTarget }) => setValue(currentTarget.value)}
              />
            </Field>
          ) : (
            <span />
          )}
        </div>
        <div class="fields">
          <Field label="Times" hint="Empty: until it is removed.">
            <input
              type="number"
              min="1"
              value={times}
              onInput={({ currentTarget }) => setTimes(currentTarget.value)}
            />
          </Field>
          <Field label="Chance in %">
            <input
              type="number"
              min="1"
              max="100"
              required
              value={chance}
              onInput={({ currentTarget }) => setChance(currentTarget.value)}
            />
          </Field>
        </div>
        <FormEnd action={add} submit="Add fault" onClose={onClose} />
      </form>
    </Dialog>
  );
}
