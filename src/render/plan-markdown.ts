import type { Plan } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { assumeVisible, type Visible } from '../domain/visible.ts';
import { drawWithin, MARKDOWN_LIMIT } from './markdown-limit.ts';
import {
  accountSection,
  findingsSection,
  headline,
  itemSection,
  prunableSection,
  splitPlan,
  type MarkdownOptions,
} from './markdown-sections.ts';

/** The space of a plan in Markdown. */
interface PlanSpace {
  /** In UTF-8 bytes, of which there are never fewer than characters. At least 2,000. */
  readonly limit?: number;
  /** The sentence that says where everything is that does not fit. */
  readonly whole?: string;
}

/**
 * A plan as a pull-request comment: what cannot be undone first, then what is blocked, then the rest: changes that do
 * the same on several accounts, and the others by account. Always below the limit.
 */
export function renderPlanMarkdown(
  plan: Plan,
  { limit = MARKDOWN_LIMIT, whole, ...options }: MarkdownOptions & PlanSpace = {},
): Visible {
  const parts = splitPlan(plan, options);
  const { irreversible, blocked, sections, view } = parts;
  const content = {
    view,
    head: [...headline(plan, view)],
    urgent: [
      itemSection('Cannot be undone', irreversible, view),
      itemSection('Blocked: a person must decide', blocked, view),
    ],
    others: [...sections.map((section) => accountSection(section, view)), prunableSection(parts)],
    findings: [...findingsSection(plan, view)],
  };
  const lines = drawWithin(content, {
    limit: limit - 1,
    place: 'a comment',
    whole: whole ?? `Run \`${formatCommand('plan')}\` to see everything.`,
  });
  return assumeVisible(`${lines.join('\n').trimEnd()}\n`);
}
