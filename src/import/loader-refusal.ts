import type * as z from 'zod/mini';
import type { KnownWords } from '../domain/known-words.ts';
import type { Kind } from '../domain/resource.ts';
import { applyRules, RULES } from '../workspace/rules.ts';
import { broadcastShape, campaignShape } from '../workspace/schema.ts';
import { checkShape } from '../workspace/shape-check.ts';
import type { Finding } from '../workspace/findings.ts';
import type { Form } from './form.ts';

/** The first problem that the loader would have with a resource, or null. */
export function refusalOf(kind: Kind, form: Form, known: KnownWords): string | null {
  const findings =
    kind === 'campaign'
      ? findProblems(campaignShape, RULES.campaign, form, known)
      : findProblems(broadcastShape, RULES.broadcast, form, known);
  const first = findings.find(({ severity }) => severity === 'error');
  if (first === undefined) return null;
  const place = first.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return `It cannot be written to a file: ${place.replace(/^\./, '')}: ${first.message}`;
}

/** Checks a form as the loader does. */
function findProblems<Written>(
  shape: z.core.$ZodType<Written>,
  rules: Parameters<typeof applyRules<Written>>[0],
  form: Form,
  known: KnownWords,
): readonly Finding[] {
  const { value, findings } = checkShape(shape, form);
  return value === null ? findings : applyRules(rules, value, { oddNumberAt: oddPrice(form), known }).list;
}

const PLAIN_PRICE = /^\d+(?:\.\d{1,2})?$/;

/** Numbers as they would be written. A price that is too large for plain digits cannot be in a file. */
function oddPrice(form: Form): (path: readonly (string | number)[]) => string | undefined {
  return (path) => {
    let value: unknown = form;
    for (const step of path)
      value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
    return typeof value === 'number' && !PLAIN_PRICE.test(String(value)) ? String(value) : undefined;
  };
}
