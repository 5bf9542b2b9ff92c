import { WRITING_KINDS } from '../../domain/change-kinds.ts';
import type { Plan } from '../../domain/change.ts';
import { servicePlace } from '../../domain/service-identity.ts';
import { shown, type Visible } from '../../domain/visible.ts';

/** The question before an apply: numbers, service, and the number of changes that cannot be undone. */
export function applyQuestion(plan: Plan, repeats = 0): Visible {
  const counts = WRITING_KINDS.filter((kind) => plan.summary[kind] > 0).map(
    (kind) => `${plan.summary[kind]} to ${kind}`,
  );
  if (repeats > 0) counts.push(`${repeats} of an earlier run to finish`);
  const concerned = plan.changes.filter((change) => change.steps.length > 0);
  const accounts = new Set(concerned.map((change) => change.address.account)).size;
  const where = accounts === 0 ? '' : ` on ${accounts} account${accounts === 1 ? '' : 's'}`;
  const final = plan.changes.filter((change) => !change.reversible).length;
  const warning = final === 0 ? '' : ` ${final} of them cannot be undone.`;
  return shown`Apply ${counts.join(', ')}${where} at ${servicePlace(plan.service)}?${warning}`;
}
