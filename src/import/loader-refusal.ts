import type { KnownWords } from '../domain/known-words.ts';
import type { Kind } from '../domain/resource.ts';
import { BROADCAST_RULES } from '../workspace/rules/broadcast.ts';
import { CAMPAIGN_RULES } from '../workspace/rules/campaign.ts';
import { applyRules } from '../workspace/rules/rule.ts';
import { broadcastShape, campaignShape } from '../workspace/schema.ts';
import { checkShape } from '../workspace/shape-issues.ts';
import type { Finding } from '../workspace/findings.ts';
import type { Form } from './form.ts';

/** The first problem that the loader would have with a resource, or null. */
export function refusalOf(kind: Kind, form: Form, known: KnownWords): string | null {
  const findings = FINDINGS[kind](form, known);
  const first = findings.find(({ severity }) => severity === 'error');
  if (first === undefined) return null;
  const place = first.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return `It cannot be written to a file: ${place.replace(/^\./, '')}: ${first.message}`;
}

/** Checks a form as the loader does, by kind. */
const FINDINGS: Readonly<Record<Kind, (form: Form, known: KnownWords) => readonly Finding[]>> = {
  campaign: campaignFindings,
  broadcast: broadcastFindings,
};

function campaignFindings(form: Form, known: KnownWords): readonly Finding[] {
  const { value, findings } = checkShape(campaignShape, form);
  return value === null || findings.length > 0
    ? findings
    : applyRules(CAMPAIGN_RULES, value, oddPrice(form), known);
}

function broadcastFindings(form: Form, known: KnownWords): readonly Finding[] {
  const { value, findings } = checkShape(broadcastShape, form);
  return value === null || findings.length > 0
    ? findings
    : applyRules(BROADCAST_RULES, value, oddPrice(form), known);
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
