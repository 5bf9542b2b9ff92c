import type { DriftCause, Plan } from '../domain/change.ts';
import { drawWithin } from './markdown-limit.ts';
import { findingsSection, headline, itemSection, prunableSection, splitPlan } from './markdown-sections.ts';
import type { Zones } from './zones.ts';
import { formatCommand } from '../domain/command-line.ts';

/** In the order of the issue: first what someone did outside of the files. */
const CAUSES = {
  service: 'Changed on the service',
  both: 'Changed in the files and on the service',
  files: 'Not applied yet',
  unknown: 'Differs, and the state does not know why',
} as const satisfies Record<DriftCause, string>;

interface IssueSpace {
  readonly zones: Zones;
  /** In UTF-8 bytes. At least 2,000. */
  readonly limit: number;
}

/** A drift as the text of an issue, by what it comes from. Always below the limit. */
export function renderDriftIssue(plan: Plan, { zones, limit }: IssueSpace): string {
  const parts = splitPlan(plan, { zones, title: 'drift' });
  const { view } = parts;
  const urgent = Object.entries(CAUSES).map(([cause, title]) => {
    const changes = plan.changes.filter((change) => (change.cause ?? 'unknown') === cause);
    const { blocked, sections } = splitPlan({ ...plan, changes }, { zones, title: 'drift' });
    return itemSection(title, [...sections.flatMap(({ groups }) => groups), ...blocked], view);
  });
  const content = {
    view,
    head: [...headline(plan, view)],
    urgent,
    others: [prunableSection(parts)],
    findings: [...findingsSection(plan, view)],
  };
  const whole = `Run \`${formatCommand('drift')}\` to see everything.`;
  return drawWithin(content, { limit, place: 'an issue', whole }).join('\n').trimEnd();
}
