import { cutEverywhere } from './cuts.ts';

cutEverywhere('is reset', 1);
