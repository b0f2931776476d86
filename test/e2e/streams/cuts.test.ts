import { cutEverywhere } from './cuts.ts';

cutEverywhere('is reset', 20);
cutEverywhere('falls silent', 20);
