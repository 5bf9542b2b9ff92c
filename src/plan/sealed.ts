import { sealedPlanShape, sealOf, type SavedPlan } from './saved.ts';
import { parseStrictJson } from './strict-json.ts';

/** A saved plan with its digest, which fits its content. */
export interface Sealed {
  readonly kind: 'sealed';
  readonly saved: SavedPlan;
  readonly digest: string;
  readonly signature: string | undefined;
}

/** What the text of a saved plan is. `problem` follows the name of its file. */
export type SealedText =
  Sealed | { readonly kind: 'changed' } | { readonly kind: 'bad'; readonly problem: string };

/** Reads the text of a saved plan, and compares its content with its digest. */
export function readSealed(text: string): SealedText {
  const read = parseStrictJson(text);
  if ('problem' in read) return { kind: 'bad', problem: `is not a saved plan: ${read.problem}` };
  const { document } = read;
  const parsed = sealedPlanShape.safeParse(document);
  if (!parsed.success) return { kind: 'bad', problem: 'is not a plan saved by this version of Herald' };
  const { digest, signature, ...saved } = parsed.data;
  if (digest !== sealOf(document as object)) return { kind: 'changed' };
  return { kind: 'sealed', saved, digest, signature };
}
