import { useState } from 'preact/hooks';
import { client } from '../state/session.ts';
import { CopyButton } from './copy.tsx';
import { Facts } from './detail.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';
import { Rotation } from './rotation.tsx';
import { FullTime } from './time.tsx';
import { useValue } from './use-value.ts';

/** The project's signing secret, which signs result callbacks. */
export function SigningSecretDialog({ onClose }: { onClose: () => void }) {
  const { value, error, reload } = useValue(async () => client.webhooks.getSigningSecret());
  const [rotating, setRotating] = useState(false);
  if (rotating) {
    return (
      <Rotation
        title="Rotate the signing secret"
        onClose={() => setRotating(false)}
        rotate={async (request) => {
          await client.webhooks.rotateSigningSecret(request);
          reload();
        }}
      />
    );
  }
  return (
    <Dialog title="Signing secret of the project" onClose={onClose}>
      <p class="muted">
        It signs the result callbacks of generations. Each webhook has its own secret.
      </p>
      <Problem error={error} />
      {value && (
        <>
          <div class="output mono">{value.secret}</div>
          <Facts rows={[['Since', <FullTime key="since" at={value.createdAt} />]]} />
        </>
      )}
      <div class="row end">
        {value && (
          <>
            <button type="button" onClick={() => setRotating(true)}>
              Rotate…
            </button>
            <CopyButton text={value.secret} what="secret" label="Copy secret" />
          </>
        )}
        <button type="button" class="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
