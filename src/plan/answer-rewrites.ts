import { canonical } from '../domain/digest.ts';
import { NOT_SENT, type KnownContent, type Rewrite } from '../domain/knowledge.ts';
import type { Declared, Observed } from '../domain/resource.ts';
import { compare } from './compare/compare.ts';
import { notInFile } from './compare/dropped.ts';

/**
 * Where an object that was just made from what is declared shows another value than the one sent, or a value that no
 * file states.
 */
export function rewritesIn(declared: Declared, made: Observed, sent: KnownContent): readonly Rewrite[] {
  const comparison = compare(declared, made, sent);
  if (comparison.verdict === 'unknowable') return [];
  const fields = comparison.verdict === 'different' ? comparison.fields : [];
  return [
    ...fields.map((field) => ({
      path: field.path,
      sent: canonical(field.new ?? null),
      got: canonical(field.old ?? null),
    })),
    ...notInFile(declared, { observed: made, known: sent }).map(({ path, live }) => ({
      path,
      sent: NOT_SENT,
      got: canonical(live),
    })),
  ];
}
