import { useState } from 'preact/hooks';
import type { ApiKeyWithSecret } from '../../../src/index.ts';
import { client, type Role } from '../state/session.ts';
import { useAction } from './action.ts';
import { plainOptions, SelectField, TextField } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { fieldError } from './problem.tsx';

interface KeyFormProps {
  readonly onClose: () => void;
  readonly onCreated: (key: ApiKeyWithSecret) => void;
}

const roles = plainOptions<Role>(['member', 'admin']);

/** Creates a key and passes it to the page, which shows it. */
export function KeyForm({ onClose, onCreated }: KeyFormProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('member');
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
    <FormDialog title="Create an API key" action={create} submit="Create key" onClose={onClose}>
      <TextField
        label="Name"
        hint="Shown in lists; up to 100 characters."
        error={fieldError(create.error, '/name')}
        maxLength={100}
        value={name}
        set={setName}
      />
      <div class="fields">
        <SelectField
          label="Role"
          hint="Members can generate and read; admins can do everything."
          options={roles}
          value={role}
          set={setRole}
        />
        <TextField
          label="Expires (UTC)"
          hint="Leave empty for a key that never expires."
          error={fieldError(create.error, '/expiresAt')}
          type="datetime-local"
          value={expiry}
          set={setExpiry}
        />
      </div>
    </FormDialog>
  );
}
