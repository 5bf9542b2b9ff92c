import type { Change, DriftCause, Plan } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { serviceWords } from '../domain/service-identity.ts';
import { assumeVisible, shown, type Visible } from '../domain/visible.ts';
import { countFindings, listFindings, withTimes } from './diagnostics.ts';
import { listDiffBlock } from './difference.ts';
import {
  describeTarget,
  listAttention,
  makeEntry,
  toMarkdown,
  type Entry,
  type EntryView,
} from './entries.ts';
import { accountsIn, groupChanges } from './groups.ts';
import { countBytes, markdownFence, markdownProse } from './markdown-escape.ts';
import { driftSteps } from './next-steps.ts';
import {
  blockedMessages,
  countAll,
  countDue,
  countNotApplied,
  countWithoutChange,
  describeBlockedMessages,
  describeEta,
  describeRefusal,
  goesLive,
  isIrreversible,
  isListed,
  isPrunable,
  isQuiet,
} from './summary.ts';
import { NO_ZONES, type Zones } from './values.ts';
import { count, type PlanTitle } from './wording.ts';

/** Limit of a pull-request comment: characters on one site, bytes on another. Both are kept. */
export const MARKDOWN_LIMIT = 65_535;

/** How to draw a plan in a comment. */
interface MarkdownOptions {
  /** Shows each change on its own. Otherwise changes that do the same are one entry. */
  readonly expand?: boolean;
  /** Declared time zones, by address. Times of other resources are in UTC. */
  readonly zones?: Zones;
  /** Values of the variables, by account, if the plan does not have them. */
  readonly variables?: Plan['variables'];
  readonly title?: PlanTitle;
  /** In UTF-8 bytes, of which there are never fewer than characters. At least 2,000. */
  readonly limit?: number;
  /** The sentence that says where everything is that does not fit. */
  readonly whole?: string;
}

/** A part of a plan below one heading. */
interface Section {
  readonly title: string;
  readonly isMeant: (change: Change) => boolean;
}

const UNMANAGED: Section = {
  title: 'Unmanaged, created by Herald; `--allow prune` stops them',
  isMeant: isPrunable,
};

/** A change is in the first section that it fits. */
const PLAN_SECTIONS: readonly Section[] = [
  { title: 'Cannot be undone', isMeant: isIrreversible },
  { title: 'Blocked: a person must decide', isMeant: ({ action }) => action === 'blocked' },
  { title: 'Changes', isMeant: isListed },
  UNMANAGED,
];

/** First what someone did outside of the files. */
const CAUSES = {
  service: 'Changed on the service',
  both: 'Changed in the files and on the service',
  files: 'Not applied yet',
  unknown: 'Differs, and the state does not know why',
} as const satisfies Record<DriftCause, string>;

const DRIFT_SECTIONS: readonly Section[] = [
  ...Object.entries(CAUSES).map(([cause, title]) => ({
    title,
    isMeant: (change: Change) => isListed(change) && (change.cause ?? 'unknown') === cause,
  })),
  UNMANAGED,
];

/**
 * A plan as a comment, or a drift as an issue. What cannot be undone and what is live at once is always named. Then come
 * whole changes while they fit, the most dangerous first. Always below the limit.
 */
export function renderPlanMarkdown(plan: Plan, options: MarkdownOptions = {}): Visible {
  const { expand = false, zones = NO_ZONES, variables = plan.variables, title = 'plan', whole } = options;
  const { limit = MARKDOWN_LIMIT } = options;
  const groups = groupChanges(
    plan.changes.filter((change) => isListed(change) || isPrunable(change)),
    { expand, variables },
  );
  const view: EntryView = { title, accounts: accountsIn(plan.changes), zones };
  const sections = title === 'plan' ? PLAN_SECTIONS : DRIFT_SECTIONS;
  const entries = groups.map((group) => makeEntry(group, view));
  const placed = entries.map((entry): Placed => ({
    entry,
    section: sections.find(({ isMeant }) => isMeant(entry.group.shared)) ?? UNMANAGED,
  }));
  const share = limit * SHARE;
  const isRefused = title === 'plan' && describeRefusal(plan) !== '';
  const head = [
    ...(title === 'plan' ? listPlanHead(plan) : listDriftHead(plan)),
    ...(title === 'plan' && !isRefused ? listNames(groups, share) : []),
  ];
  const findings = listFindingsSection(plan, zones, share);
  const space = limit - NOTE_BYTES - countBytes(head) - countBytes(sections.map(drawTitle));
  const drawn = fitEntries(placed, space - countBytes(findings), view);
  const left = placed.filter(({ entry }) => !drawn.has(entry));
  const short = placed.filter(({ entry }) => drawn.get(entry)?.isWhole === false);
  const missing = [
    ...(left.length === 0 ? [] : [count(countChanges(left), 'resource')]),
    ...(short.length === 0 ? [] : [`the details of ${count(countChanges(short), 'resource')}`]),
  ];
  const where = whole ?? `Run \`${formatCommand(title)}\` to see everything.`;
  const note = missing.length === 0 ? [] : [`> Left out to fit: ${missing.join('; ')}. ${where}`, ''];
  const body = sections.flatMap((section) => {
    const own = placed.filter((one) => one.section === section);
    const lines = own.flatMap(({ entry }) => drawn.get(entry)?.lines ?? []);
    if (lines.length === 0) return [];
    const end = lines.at(-1) === '' ? [] : [''];
    return [`${drawTitle(section)} (${countChanges(own)})`, '', ...lines, ...end];
  });
  // What refuses a plan comes before what it refuses.
  const parts = isRefused
    ? [...head, ...findings, ...note, ...body]
    : [...head, ...note, ...body, ...findings];
  return assumeVisible(`${parts.join('\n').trimEnd()}\n`);
}

/** Reserved for the note, and at most for the names and for the findings. */
const NOTE_BYTES = 1_000;
const SHARE = 0.2;

interface Placed {
  readonly entry: Entry;
  readonly section: Section;
}

function drawTitle({ title }: Section): string {
  return `#### ${title}`;
}

function countChanges(placed: readonly Placed[]): number {
  return placed.reduce((sum, { entry }) => sum + entry.group.changes.length, 0);
}

interface Drawn {
  readonly lines: readonly string[];
  readonly isWhole: boolean;
}

/** Limit of names of an entry that does not fit. */
const NAMES_MAX = 5;

/** What the first lines of entries may take, so that whole ones have space as well. */
const HEADS_SHARE = 0.5;

/** The first line of each entry, the most dangerous first, and then whole entries while they fit. */
function fitEntries(placed: readonly Placed[], space: number, view: EntryView): ReadonlyMap<Entry, Drawn> {
  const drawn = new Map<Entry, Drawn>();
  const order = placed.toSorted((one, other) => rank(one) - rank(other)).map(({ entry }) => entry);
  let left = space;
  const take = (entry: Entry, one: Drawn, kept: number): boolean => {
    const more = countBytes(one.lines) - countBytes(drawn.get(entry)?.lines ?? []);
    if (left - more < kept) return false;
    left -= more;
    drawn.set(entry, one);
    return true;
  };
  for (const entry of order) {
    const head = { lines: [drawHead(entry, view, NAMES_MAX)], isWhole: false };
    if (!take(entry, head, space * (1 - HEADS_SHARE))) break;
  }
  for (const entry of drawn.keys()) {
    const draw = (namesMax: number) => ({ lines: drawEntry(entry, view, namesMax), isWhole: true });
    if (!take(entry, draw(Infinity), 0)) take(entry, draw(NAMES_MAX), 0);
  }
  return drawn;
}

/** Next to a new text, what stops or waits can be left out first. */
function rank({ entry: { group } }: Placed): number {
  const { shared } = group;
  if (isIrreversible(shared)) return 0;
  if (shared.action === 'blocked') return 1;
  if (shared.action === 'create' || goesLive(shared) !== null) return 2;
  return shared.action === 'unmanaged' ? 4 : 3;
}

/** Limit of reasons per entry. */
const REASONS_MAX = 10;

/** `- **± replace** campaign <code>Welcome</code> (4711) on <code>alice</code>: **live at once**`. */
function drawHead({ group, word, badges }: Entry, { accounts }: EntryView, namesMax: number): string {
  const target = toMarkdown(describeTarget(group, { accounts, isAlone: true, namesMax }));
  if (group.shared.action === 'unmanaged') return `- ${target}`;
  const flags = badges.map(({ text }) => text).join(', ');
  return `- **${word.mark} ${word.label}** ${target}${flags === '' ? '' : `: **${flags}**`}`;
}

/** The entry with its reasons, and its differences in a block that opens. */
function drawEntry(entry: Entry, view: EntryView, namesMax: number): readonly string[] {
  const { group, reasons, after, fields, byAccount } = entry;
  const head = drawHead(entry, view, namesMax);
  if (group.shared.action === 'unmanaged') return [head];
  const notes = [...reasons.slice(0, REASONS_MAX), ...after].map(
    ({ label, text }) => `  - ${label}${markdownProse(text)}`,
  );
  if (fields.length === 0 && byAccount.length === 0) return [head, ...notes];
  const lines = [...fields.flatMap(listDiffBlock), ...byAccount.map((line) => shown`  ${line}`)];
  const title = `<details><summary>${count(fields.length, 'field')}</summary>`;
  return [head, ...notes, '', title, '', ...markdownFence('diff', lines), '', '</details>', ''];
}

/** Names in code, while they fit into their share: what cannot be undone, what is blocked, what is live at once. */
function listNames(groups: Parameters<typeof listAttention>[0], bytesMax: number): readonly string[] {
  const attention = listAttention(groups).filter(({ words }) => words !== 'blocked');
  const lines = attention.map(({ words, groups: found }) => {
    let left = bytesMax / attention.length;
    const names: string[] = [];
    for (const { target } of found) {
      const name = toMarkdown(target);
      left -= Buffer.byteLength(name) + 2;
      if (left < 0) break;
      names.push(name);
    }
    const number = found.reduce((sum, { group }) => sum + group.changes.length, 0);
    const named = found.slice(0, names.length).reduce((sum, { group }) => sum + group.changes.length, 0);
    const more = number === named ? '' : ` and ${number - named} more`;
    return `- **${number} ${words}:** ${names.join(', ')}${more}`;
  });
  return lines.length === 0 ? [] : [...lines, ''];
}

const FINDINGS_MAX = 30;

function drawServiceLine(plan: Plan): string {
  return `Service: ${markdownProse(serviceWords(plan.service))}`;
}

function listPlanHead(plan: Plan): readonly string[] {
  const service = drawServiceLine(plan);
  const refused = describeRefusal(plan);
  if (refused !== '')
    return [
      '### Herald plan: refused, nothing will be changed',
      '',
      service,
      '',
      `**${markdownProse(refused)}**`,
      '',
      countNotApplied(plan),
      '',
    ];
  if (isQuiet(plan)) return ['### Herald plan: no changes', '', service, '', countAll(plan, 'plan'), ''];
  const unchanged = countWithoutChange(plan.changes);
  const line = `${unchanged === '' ? '' : `${unchanged}. `}${describeEta(plan)}`.trimEnd();
  return [`### Herald plan: ${countDue(plan, 'plan')}`, '', service, '', ...(line === '' ? [] : [line, ''])];
}

/** What differs, and what to do about it. */
function listDriftHead(plan: Plan): readonly string[] {
  const messages = blockedMessages(plan);
  const found = [
    ...(isQuiet(plan) ? [] : [countDue(plan, 'drift')]),
    ...(messages === 0 ? [] : [describeBlockedMessages(messages)]),
  ];
  const steps = driftSteps(plan).map(({ words, command }) => `- ${words} \`${command}\``);
  return [
    `### Herald drift: ${found.length === 0 ? 'none' : found.join(', ')}`,
    '',
    drawServiceLine(plan),
    '',
    countAll(plan, 'drift'),
    '',
    ...(steps.length === 0 ? [] : [...steps, '', 'In each diff, `-` is live and `+` is the file.', '']),
  ];
}

/** Errors, warnings and notes, the worst first, up to a limit. */
function listFindingsSection(plan: Plan, zones: Zones, bytesMax: number): readonly string[] {
  const found = withTimes(plan.diagnostics, zones);
  if (found.length === 0) return [];
  return [`#### ${countFindings(found)}`, '', ...listFindings(found, FINDINGS_MAX, bytesMax)];
}
