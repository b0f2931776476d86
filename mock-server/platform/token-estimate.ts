import { estimateTokenCount } from 'tokenx';

/** Tokens of a text, estimated to within some percent of what common tokenizers count. */
export const estimateTokens = (text: string): number => estimateTokenCount(text);
