import { useState } from 'preact/hooks';
import { Confirm } from './confirm.tsx';
import { CheckField, SelectField } from './field.tsx';

const overlaps = [
  [0, 'None: only the new secret signs'],
  [3600, '1 hour'],
  [86_400, '1 day'],
  [604_800, '7 days'],
] as const;

interface RotationProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly rotate: (request: { overlapSeconds: number; force: boolean }) => Promise<void>;
}

/** Asks for how long both the old and the new secret sign, then rotates. */
export function Rotation({ title, onClose, rotate }: RotationProps) {
  const [overlap, setOverlap] = useState<number>(86_400);
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
      <SelectField
        label="Overlap"
        hint="During the overlap, deliveries carry both signatures, so receivers have time to switch to the new secret."
        options={overlaps}
        value={overlap}
        set={setOverlap}
      />
      <CheckField
        label="Rotate even during an overlap: the oldest secret stops signing immediately"
        value={force}
        set={setForce}
      />
    </Confirm>
  );
}
