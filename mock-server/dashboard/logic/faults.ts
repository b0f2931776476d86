export const operationEffects = [
  'status',
  'delay',
  'drop',
  'truncate',
  'stall',
  'malformed',
] as const;
export const deliveryEffects = [
  'drop',
  'delay',
  'duplicate',
  'badSignature',
  'staleTimestamp',
] as const;

export type EffectName = (typeof operationEffects)[number] | (typeof deliveryEffects)[number];

interface EffectForm {
  readonly name: string;
  /** Asked for when the effect takes a number. */
  readonly number?: { readonly label: string; readonly start: number };
}

export const effectForms: Readonly<Record<EffectName, EffectForm>> = {
  status: { name: 'answer with a status', number: { label: 'Status', start: 503 } },
  delay: { name: 'delay', number: { label: 'Milliseconds', start: 2000 } },
  drop: { name: 'drop the connection' },
  truncate: { name: 'cut the answer short', number: { label: 'After bytes', start: 20 } },
  stall: { name: 'never finish' },
  malformed: { name: 'answer malformed JSON' },
  duplicate: { name: 'send more than once', number: { label: 'Copies', start: 2 } },
  badSignature: { name: 'sign wrongly' },
  staleTimestamp: { name: 'sign with an old timestamp', number: { label: 'Seconds', start: 600 } },
};

/** `{ status: 503 }`, `{ drop: true }`. The server checks that the effect fits what it strikes. */
export function effectOf<Effect extends object>(name: EffectName, value: number): Effect {
  return { [name]: effectForms[name].number ? value : true } as unknown as Effect;
}

/** `answer with a status: 503`. */
export function describeEffect(effect: Readonly<Record<string, unknown>>): string {
  return Object.entries(effect)
    .map(([name, value]) => {
      const known = effectForms[name as EffectName]?.name ?? name;
      return value === true ? known : `${known}: ${String(value)}`;
    })
    .join(', ');
}
