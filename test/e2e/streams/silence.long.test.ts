import { cutEverywhere } from './cuts.ts';

cutEverywhere('falls silent', 1);
