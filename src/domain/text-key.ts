import { hashOf } from './hash.ts';

/** Stands for a text wherever it is only compared with others: 128 bits of it, and its length. */
export function textKey(text: string): string {
  const parts = [...hashOf(text), ...hashOf(text, 0x5bd1e995)];
  return `${parts.map((part) => part.toString(36)).join('.')}.${text.length}`;
}
