import { WRITING_KINDS } from '../../domain/change-kinds.ts';
import { writes, type Change, type Plan } from '../../domain/change.ts';
import type { Question } from '../../domain/ports.ts';
import { servicePlace } from '../../domain/service-identity.ts';
import { shown } from '../../domain/visible.ts';
import { count } from '../../render/wording.ts';
import { plainQuestion, typedQuestion } from '../question.ts';

/** The question before an apply: numbers, service, and the number of changes that cannot be undone. */
export function applyQuestion(plan: Plan): Question {
  const counts = WRITING_KINDS.filter((kind) => plan.summary[kind] > 0).map(
    (kind) => `${plan.summary[kind]} to ${kind}`,
  );
  const concerned = plan.changes.filter(writes);
  const accounts = new Set(concerned.map((change) => change.address.account)).size;
  const where = accounts === 0 ? '' : ` on ${count(accounts, 'account')}`;
  const final = plan.changes.filter((change) => !change.reversible).length;
  const warning = final === 0 ? '' : ` ${final} of them cannot be undone.`;
  const text = shown`Apply ${counts.join(', ')}${where} at ${servicePlace(plan.service)}?${warning}`;
  if (accounts === 1 && concerned.every(isPlainStop)) return plainQuestion(text);
  const number = concerned.length;
  return typedQuestion(text, `apply ${count(number, 'change')}`, String(number));
}

/** A change that stops something, and can be undone. */
export function isPlainStop({ action, reversible }: Pick<Change, 'action' | 'reversible'>): boolean {
  return reversible && (action === 'pause' || action === 'archive' || action === 'retire');
}
