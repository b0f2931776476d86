import { useState } from 'preact/hooks';
import { Confirm } from './confirm.tsx';
import { Field } from './field.tsx';

const overlaps = [
  [0, 'none: only the new secret signs'],
  [3600, '1 hour'],
  [86_400, '1 day'],
  [604_800, '7 days'],
] as const;

interface RotationProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly rotate: (request: { overlapSeconds: number; force: boolean }) => Promise<void>;
}

/** Asks how long old and new secret both sign, then rotates. */
export function Rotation({ title, onClose, rotate }: RotationProps) {
  const [overlap, setOverlap] = useState(86_400);
  const [force, setForce] = useState(false);
  return (
    <Confirm
      title={title}
      verb="Rotate secret"
      onClose={onClose}
      work={async () => {
        await rotate({ overlapSeconds: overlap, force });
        return undefined;
      }}
    >
      <Field
        label="Overlap"
        hint="Deliveries carry both signatures meanwhile, so receivers can change over in peace."
      >
        <select
          value={overlap}
          onChange={({ currentTarget }) => setOverlap(Number(currentTarget.value))}
        >
          {overlaps.map(([seconds, name]) => (
            <option key={seconds} value={seconds}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={force}
          onChange={({ currentTarget }) => setForce(currentTarget.checked)}
        />
        Rotate even inside an overlap; the oldest secret is dropped at once
      </label>
    </Confirm>
  );
}
