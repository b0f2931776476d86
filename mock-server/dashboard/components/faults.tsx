import { useState } from 'preact/hooks';
import { describeEffect } from '../logic/faults.ts';
import { control } from '../state/control.ts';
import { useAction } from './action.ts';
import { FaultForm } from './fault-form.tsx';
import { Problem } from './problem.tsx';
import { Table } from './table.tsx';
import { useValue } from './use-value.ts';

/** Faults that wait to strike. */
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
    return 'The fault is removed.';
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
          No fault waits. Add one to see how your application takes a 503, a connection that drops,
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
              title: 'Strikes',
              render: (row) => <code>{row.operation ?? `delivery of ${row.delivery}`}</code>,
            },
            { title: 'Effect', render: (row) => describeEffect(row.effect) },
            { title: 'Times left', class: 'number', render: (row) => row.times ?? 'always' },
            {
              title: 'Chance',
              class: 'number in-wide',
              render: (row) =>
                row.probability === undefined ? 'every time' : `${row.probability * 100} %`,
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
