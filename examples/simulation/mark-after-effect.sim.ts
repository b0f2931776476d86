import { markAfterEffect } from './receivers/mark-after-effect.ts';
import { scenario } from './scenario.ts';

export default scenario(markAfterEffect);
