import { cutEverywhere } from './cuts.ts';
import { doors } from './doors.ts';

for (const [name, open] of Object.entries(doors)) {
  cutEverywhere(name, open, 'is reset', 1);
  cutEverywhere(name, open, 'falls silent', 1);
}
