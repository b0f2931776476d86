import { useState } from 'preact/hooks';
import { Block } from './copy.tsx';
import { type Draft, Form, type Schema, type Values } from './form.tsx';
import { Problem } from './problem.tsx';

/** What can be done with a record. */
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

/** Buttons, and forms that open below them. The outcome of the latest is shown. */
export function Actions({ actions }: { actions: readonly Action[] }) {
  const [state, setState] = useState<{ error?: unknown; done?: unknown; open?: string }>({});
  const perform = async ({ name, confirm: question, schema, run }: Action) => {
    if (schema) return setState(state.open === name ? {} : { open: name });
    if (question !== undefined && !confirm(question)) return;
    try {
      setState({ done: (await run({})) ?? `${name}: done.` });
    } catch (error) {
      setState({ error });
    }
  };
  const open = actions.find(({ name, schema }) => schema && name === state.open);
  return (
    <div class="actions">
      <div class="row">
        {actions.map((action) => (
          <button
            type="button"
            key={action.name}
            class="secondary"
            aria-expanded={action.schema ? action === open : undefined}
            onClick={() => void perform(action)}
          >
            {action.name}
          </button>
        ))}
      </div>
      {open?.schema && (
        <article>
          <Form
            key={open.name}
            schema={open.schema}
            {...(open.initial && { initial: open.initial })}
            submit={open.name}
            run={open.run}
          />
        </article>
      )}
      <Problem error={state.error} />
      <div aria-live="polite">
        {typeof state.done === 'string' && <p>{state.done}</p>}
        {state.done !== undefined && typeof state.done !== 'string' && (
          <Block title="Result" value={state.done} />
        )}
      </div>
    </div>
  );
}
