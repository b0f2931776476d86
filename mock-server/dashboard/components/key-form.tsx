import { useState } from 'preact/hooks';
import { client } from '../state/session.ts';
import type { ApiKeyWithSecret } from '../state/types.ts';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { FormEnd } from './form-end.tsx';
import { faultAt } from './problem.tsx';

interface KeyFormProps {
  readonly onClose: () => void;
  readonly onCreated: (key: ApiKeyWithSecret) => void;
}

/** Makes a key; what comes of it is shown by the page. */
export function KeyForm({ onClose, onCreated }: KeyFormProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<'admin' | 'member'>('member');
  const [expiry, setExpiry] = useState('');
  const create = useAction(async () => {
    onCreated(
      await client.apiKeys.create({
        role,
        ...(name && { name }),
        ...(expiry && { expiresAt: new Date(`${expiry}:00Z`).toISOString() }),
      }),
    );
    return undefined;
  });
  return (
    <Dialog title="Create an API key" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        <Field
          label="Name"
          hint="For people, up to 100 characters."
          fault={faultAt(create.error, '/name')}
        >
          <input
            value={name}
            maxLength={100}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <div class="fields">
          <Field label="Role" hint="A member generates and reads; an admin does everything.">
            <select
              value={role}
              onChange={({ currentTarget }) => setRole(currentTarget.value as 'admin' | 'member')}
            >
              <option value="member">member</option>
              <option value="admin">admin</option>
            </select>
          </Field>
          <Field
            label="Expires (UTC)"
            hint="Empty: never."
            fault={faultAt(create.error, '/expiresAt')}
          >
            <input
              type="datetime-local"
              value={expiry}
              onInput={({ currentTarget }) => setExpiry(currentTarget.value)}
            />
          </Field>
        </div>
        <FormEnd action={create} submit="Create key" onClose={onClose} />
      </form>
    </Dialog>
  );
}
