import { useState } from 'preact/hooks';
import { describeEffect } from '../logic/faults.ts';
import { control } from '../state/control.ts';
import { organizationName } from '../state/names.ts';
import { useAction } from './action.ts';
import { FaultForm } from './fault-form.tsx';
import { Problem } from './problem.tsx';
import { Table } from './table.tsx';
import { useValue } from './use-value.ts';

/** The active faults. */
export function FaultsCard() {
  const { value, error, reload } = useValue(
    () => control.faults.list(),
    ({ requests, events }) =>
      requests.length > 0 || events.some(({ type }) => type.startsWith('delivery.')),
  );
  const [adding, setAdding] = useState(false);
  const remove = useAction(async (id: string) => {
    await control.faults.remove(id);
    reload();
    return 'Fault removed.';
  });
  return (
    <section class="card" aria-label="Faults">
      <header>
        <h2>Faults</h2>
        <button type="button" class="primary" onClick={() => setAdding(true)}>
          Add fault
        </button>
      </header>
      <Problem error={error ?? remove.error} />
      {value?.length === 0 && (
        <p class="muted small">
          No active faults. Add one to see how your application handles a 503, a dropped connection
          or a delivery with a bad signature.
        </p>
      )}
      {value && value.length > 0 && (
        <Table
          label="Faults"
          rows={value}
          rowKey={(row) => row.id}
          columns={[
            {
              title: 'Applies to',
              render: (row) => <code>{row.operation ?? `delivery of ${row.delivery}`}</code>,
            },
            { title: 'Effect', render: (row) => describeEffect(row.effect) },
            {
              title: 'Organization',
              class: 'in-wide',
              render: (row) => (row.organization ? organizationName(row.organization) : 'all'),
            },
            { title: 'Times left', class: 'number', render: (row) => row.times ?? 'unlimited' },
            {
              title: 'Chance',
              class: 'number in-wide',
              render: (row) =>
                row.probability === undefined ? '100%' : `${row.probability * 100}%`,
            },
            {
              title: 'Actions',
              class: 'number',
              render: (row) => (
                <button
                  type="button"
                  class="plain"
                  disabled={remove.busy}
                  onClick={() => void remove.run(row.id)}
                >
                  Remove
                </button>
              ),
            },
          ]}
        />
      )}
      {adding && (
        <FaultForm
          onClose={() => {
            setAdding(false);
            reload();
          }}
        />
      )}
    </section>
  );
}
