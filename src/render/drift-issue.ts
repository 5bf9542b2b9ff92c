import type { DriftCause, Plan } from '../domain/change.ts';
import { byteLength, linesWithin } from './markdown-limit.ts';
import {
  accountCounts,
  findingsSection,
  headline,
  itemSection,
  prunableSection,
  splitPlan,
  type DiffsAs,
} from './markdown-sections.ts';
import type { Zones } from './zones.ts';
import { formatCommand } from '../domain/command-line.ts';

/** In the order of the issue: first what someone did outside of the files. */
const CAUSES = {
  service: 'Changed on the service',
  both: 'Changed in the files and on the service',
  files: 'Not applied yet',
  unknown: 'Differs, and the ledger does not know why',
} as const satisfies Record<DriftCause, string>;

interface IssueSpace {
  readonly zones: Zones;
  /** In UTF-8 bytes. At least 2,000. */
  readonly limit: number;
}

/**
 * A drift as the text of an issue, by what it comes from. Always below the limit. The first level that fits is taken:
 *
 * | level  | differences         | their fields |
 * |--------|---------------------|--------------|
 * | full   | listed              | below each   |
 * | brief  | listed              | left out     |
 * | counts | counted, by account | left out     |
 */
export function renderDriftIssue(plan: Plan, { zones, limit }: IssueSpace): string {
  const lines =
    linesWithin(listed(plan, zones, 'below'), limit) ??
    linesWithin([...listed(plan, zones, () => null), leftOut()], limit) ??
    countedWithin(plan, zones, limit);
  return lines.join('\n').trimEnd();
}

function leftOut(): string {
  return `> Left out to fit into an issue: the fields. Run \`${formatCommand('drift')}\` to see them.`;
}

function* listed(plan: Plan, zones: Zones, diffs: DiffsAs): Generator<string> {
  const parts = splitPlan(plan, { zones, title: 'drift' });
  const { view } = parts;
  yield* headline(plan, view);
  for (const [cause, title] of Object.entries(CAUSES)) {
    const changes = plan.changes.filter((change) => (change.cause ?? 'unknown') === cause);
    const { blocked, sections } = splitPlan({ ...plan, changes }, { zones, title: 'drift' });
    const groups = [...sections.flatMap((section) => section.groups), ...blocked];
    yield* itemSection(title, groups, { diffs, view });
  }
  yield* prunableSection(parts, 'by name');
  yield* findingsSection(plan, view);
}

/** As many accounts as fit. */
function countedWithin(plan: Plan, zones: Zones, limit: number): readonly string[] {
  const { everyAccount, view } = splitPlan(plan, { zones, title: 'drift' });
  const note = `> Left out to fit into an issue: the list of the differences. Run \`${formatCommand('drift')}\` to see everything.`;
  const lines = [...headline(plan, view), note, ''];
  let space = limit - byteLength(lines);
  for (const { account, changes } of everyAccount) {
    const line = `- ${accountCounts(account, changes, 'drift')}`;
    space -= byteLength([line]);
    if (space < 0) break;
    lines.push(line);
  }
  return lines;
}
