import { useState } from 'preact/hooks';
import { callbackEvents, systemEvents } from '../../domain/event-names.ts';
import { type FaultEffect, faultEffects } from '../../domain/fault-effects.ts';
import type { DeliveryEffect, OperationEffect } from '../../index.ts';
import { effectForms, effectOf, operationNames } from '../logic/faults.ts';
import { control } from '../state/control.ts';
import { organizationName } from '../state/names.ts';
import { tenants } from '../state/session.ts';
import { useAction } from './action.ts';
import { SelectField, TextField } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';

type Target = 'operation' | 'delivery';

const targets = [
  ['operation', 'an API call'],
  ['delivery', 'a delivery'],
] as const;

const names: Readonly<Record<Target, readonly string[]>> = {
  operation: ['*', ...operationNames],
  delivery: ['*', ...callbackEvents, ...systemEvents],
};

/** The form's texts as typed. */
interface Draft {
  readonly target: Target;
  readonly name: string;
  readonly effect: FaultEffect;
  readonly value: string;
  readonly times: string;
  /** In percent. */
  readonly chance: string;
  /** Empty for every organization. */
  readonly organization: string;
}

const initial: Draft = {
  target: 'operation',
  name: 'generateContent',
  effect: 'status',
  value: '503',
  times: '1',
  chance: '100',
  organization: '',
};

export function FaultForm({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState(initial);
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const add = useAction(async () => {
    await control.faults.add(faultOf(draft));
    onClose();
    return 'Fault added.';
  });
  return (
    <FormDialog title="Add a fault" action={add} submit="Add fault" onClose={onClose}>
      <TargetFields draft={draft} set={set} />
      <EffectFields draft={draft} set={set} />
      <div class="fields">
        <TextField
          label="Times"
          hint="Leave empty to apply the fault until you remove it."
          type="number"
          min="1"
          value={draft.times}
          set={(times) => set({ times })}
        />
        <TextField
          label="Chance in %"
          type="number"
          min="1"
          max="100"
          required
          value={draft.chance}
          set={(chance) => set({ chance })}
        />
      </div>
      <SelectField
        label="Organization"
        hint="Limits the fault to the calls and deliveries of one organization."
        options={organizationOptions()}
        value={draft.organization}
        set={(organization) => set({ organization })}
      />
    </FormDialog>
  );
}

function organizationOptions() {
  const ids = [...new Set(tenants.value.map(({ organization }) => organization))];
  return [
    ['', 'all organizations'] as const,
    ...ids.map((id) => [id, organizationName(id)] as const),
  ];
}

function faultOf({ target, name, effect, value, times, chance, organization }: Draft) {
  return {
    ...(target === 'operation'
      ? { operation: name, effect: effectOf<OperationEffect>(effect, Number(value)) }
      : { delivery: name, effect: effectOf<DeliveryEffect>(effect, Number(value)) }),
    ...(times !== '' && { times: Number(times) }),
    ...(organization && { organization }),
    ...(Number(chance) < 100 && { probability: Number(chance) / 100 }),
  };
}

interface FieldsProps {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
}

function withEffect(effect: FaultEffect): Partial<Draft> {
  return { effect, value: String(effectForms[effect].number?.start ?? '') };
}

function TargetFields({ draft, set }: FieldsProps) {
  return (
    <div class="fields">
      <SelectField
        label="Applies to"
        options={targets}
        value={draft.target}
        set={(target) =>
          set(
            target === 'operation'
              ? { target, name: 'generateContent', ...withEffect('status') }
              : { target, name: '*', ...withEffect('drop') },
          )
        }
      />
      <SelectField
        label={draft.target === 'operation' ? 'Operation' : 'Event'}
        options={names[draft.target].map((name) => [name, name === '*' ? 'any' : name] as const)}
        value={draft.name}
        set={(name) => set({ name })}
      />
    </div>
  );
}

function EffectFields({ draft, set }: FieldsProps) {
  const effects: readonly FaultEffect[] = faultEffects[draft.target];
  const { number } = effectForms[draft.effect];
  return (
    <div class="fields">
      <SelectField
        label="Effect"
        options={effects.map((effect) => [effect, effectForms[effect].name] as const)}
        value={draft.effect}
        set={(effect) => set(withEffect(effect))}
      />
      {number ? (
        <TextField
          label={number.label}
          type="number"
          min="0"
          required
          value={draft.value}
          set={(value) => set({ value })}
        />
      ) : (
        <span />
      )}
    </div>
  );
}
