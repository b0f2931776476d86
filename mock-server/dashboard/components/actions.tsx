import { useState } from 'preact/hooks';
import { type Draft, Form, type Schema, type Values } from './form.tsx';
import { useOutcome } from './outcome.tsx';

export interface Action {
  readonly name: string;
  /** Asked before it is done. */
  readonly confirm?: string;
  /** Its arguments; without them, a button is enough. */
  readonly schema?: Schema;
  readonly initial?: Draft;
  /** What it returns is shown: a sentence or a record. */
  readonly run: (values: Values) => Promise<unknown>;
}

export function Actions({ actions }: { actions: readonly Action[] }) {
  const [opened, setOpened] = useState<Action>();
  const { shown, perform } = useOutcome();
  const choose = (action: Action) => {
    const { name, confirm: question, schema, run } = action;
    setOpened(schema && opened?.name !== name ? action : undefined);
    if (schema || (question !== undefined && !confirm(question))) return;
    void perform(async () => (await run({})) ?? `${name}: done.`);
  };
  // An action that has ended itself stays open: what it returned, such as a key, is shown nowhere else.
  const open = actions.find(({ name }) => name === opened?.name) ?? opened;
  return (
    <div class="actions">
      <div class="row">
        {actions.map((action) => (
          <button
            type="button"
            key={action.name}
            class="secondary"
            aria-expanded={action.schema ? action === open : undefined}
            onClick={() => choose(action)}
          >
            {action.name}
          </button>
        ))}
      </div>
      {open?.schema ? (
        <article>
          <Form
            key={open.name}
            schema={open.schema}
            initial={open.initial ?? {}}
            submit={open.name}
            run={open.run}
          />
        </article>
      ) : (
        shown
      )}
    </div>
  );
}
