import { formatAddress } from '../domain/resource.ts';
import { shown, type Visible, visible } from '../domain/visible.ts';
import {
  fieldCount,
  markdownTarget,
  onAccount,
  otherDiffLines,
  type MarkdownView,
} from './change-markdown.ts';
import { fieldDiffLines, type FieldLines } from './field-markdown.ts';
import { accountsOf, namesOf, type ChangeGroup } from './groups/change-groups.ts';
import { formatCommand } from '../domain/command-line.ts';
import { compactJson } from './json.ts';
import { markdownFence, markdownName, markdownProse } from './markdown-escape.ts';
import { byteLength } from './markdown-limit.ts';
import { count, wordOf } from './wording.ts';
import { zoneOf } from './zones.ts';

/** The fields of groups that differ in the same way, with a number for references. */
interface Diff {
  readonly number: number;
  readonly groups: readonly [ChangeGroup, ...ChangeGroup[]];
}

/** The number of the diff of a group. Null if no field differs. */
export type DiffNumbers = (group: ChangeGroup) => number | null;

export interface DistinctDiffs {
  readonly diffs: readonly Diff[];
  readonly numberOf: DiffNumbers;
}

/** The distinct diffs of these groups, in their order. */
export function distinctDiffs(groups: readonly ChangeGroup[]): DistinctDiffs {
  const diffs = new Map<string, { number: number; groups: [ChangeGroup, ...ChangeGroup[]] }>();
  const numbers = new Map<ChangeGroup, number>();
  for (const group of groups) {
    if (fieldCount(group) === 0) continue;
    const { shared, slots, varying } = group;
    const key = compactJson([shared.action, shared.fields, shared.dropped, slots, varying]);
    const known = diffs.get(key);
    if (known === undefined) diffs.set(key, { number: diffs.size + 1, groups: [group] });
    else known.groups.push(group);
    numbers.set(group, known?.number ?? diffs.size);
  }
  return { diffs: [...diffs.values()], numberOf: (group) => numbers.get(group) ?? null };
}

/** Printed texts, with their diff and path. */
type Printed = Map<string, { readonly number: number; readonly path: string }>;

/** Shorter texts are printed again, because a reference would not be shorter. */
const REFERRED_MIN = 80;

/** All diffs, with each text once. */
export function* allDiffs(diffs: readonly Diff[], view: MarkdownView): Generator<string> {
  if (diffs.length === 0) return;
  yield* title(diffs.length);
  const printed: Printed = new Map();
  for (const diff of diffs) {
    const { lines, texts } = drawDiff(diff, { printed, mode: 'whole', view });
    yield* lines;
    remember(printed, texts);
  }
}

/** Reserved for the line with the numbers of diffs that are not named. */
const MORE_BYTES = 200;

/** Limit of runs in that line. */
const RUNS_MAX = 12;

/**
 * As many diffs as fit. A diff that does not fit is drawn without its long texts, or only named. `left` counts those.
 */
export function diffsWithin(
  diffs: readonly Diff[],
  limit: number,
  view: MarkdownView,
): { readonly lines: readonly string[]; readonly left: number } {
  if (diffs.length === 0) return { lines: [], left: 0 };
  const lines = [...title(diffs.length)];
  const printed: Printed = new Map();
  let space = limit - MORE_BYTES - byteLength(lines);
  const take = (some: readonly string[]): boolean => {
    const bytes = byteLength(some);
    if (bytes > space) return false;
    lines.push(...some);
    space -= bytes;
    return true;
  };
  let left = 0;
  const unnamed: number[] = [];
  for (const diff of diffs) {
    const whole = drawDiff(diff, { printed, mode: 'whole', view });
    if (take(whole.lines)) {
      remember(printed, whole.texts);
      continue;
    }
    left += 1;
    if (!take(drawDiff(diff, { printed, mode: 'short', view }).lines) && !take(namedOnly(diff, view)))
      unnamed.push(diff.number);
  }
  if (unnamed.length > 0)
    lines.push(`- ${numberRuns(unnamed)}: left out. To read them: ${formatCommand('plan')}`);
  return { lines: [...lines, ''], left };
}

/** `Diffs 40-42, 44`. The numbers are in order. */
function numberRuns(numbers: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] + 1 === number) run[1] = number;
    else runs.push([number, number]);
  }
  const words = runs
    .slice(0, RUNS_MAX)
    .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const more = runs.length > RUNS_MAX ? `, and more up to ${numbers.at(-1) ?? ''}` : '';
  return `${numbers.length === 1 ? 'Diff' : 'Diffs'} ${words.join(', ')}${more}`;
}

function remember(printed: Printed, texts: Printed): void {
  for (const [text, place] of texts) printed.set(text, place);
}

function title(number: number): readonly string[] {
  return [`#### Diffs, each once (${number})`, ''];
}

interface DiffOptions {
  readonly printed: Printed;
  /** `short`: long texts are replaced by their numbers of characters. */
  readonly mode: 'whole' | 'short';
  readonly view: MarkdownView;
}

/** A closed block. */
function drawDiff(
  diff: Diff,
  { printed, mode, view }: DiffOptions,
): { readonly lines: readonly string[]; readonly texts: Printed } {
  const [group] = diff.groups;
  const { action, fields } = group.shared;
  const style = { declaredOnly: action === 'create', zone: zoneOf(group.changes, view.zones) };
  const texts: Printed = new Map();
  const lines = fields.flatMap((field): readonly Visible[] => {
    const drawn = fieldDiffLines(field, style);
    const { path, text } = drawn;
    if (text === null || text.length < REFERRED_MIN) return drawn.lines;
    const place = printed.get(text) ?? texts.get(text);
    if (place !== undefined) return [shown`  ${path}: as ${placeWords(drawn, place, diff)}`];
    if (mode === 'short')
      return [shown`  ${path}: ${text.length} characters left out. To read them: ${readCommand(diff)}`];
    texts.set(text, { number: diff.number, path });
    return drawn.lines;
  });
  const block = [
    `<details><summary>${diffName(diff, view)}</summary>`,
    '',
    ...markdownFence('diff', [...lines, ...otherDiffLines(group, view)]),
    '',
    '</details>',
    '',
  ];
  return { lines: block, texts };
}

/** The command that shows one of the resources of a diff. */
function readCommand({ groups: [{ changes }] }: Diff): Visible {
  // The address is a pattern, so its own wildcards are escaped.
  const pattern = formatAddress(changes[0].address).replace(/[\\*?]/g, '\\$&');
  return visible(formatCommand('plan', '--target', pattern));
}

/** `in diff 3`, `messages[0].text in diff 3`, `messages[0].text`. */
function placeWords({ path }: FieldLines, place: { number: number; path: string }, diff: Diff): string {
  if (place.number === diff.number) return place.path;
  return `${place.path === path ? '' : `${place.path} `}in diff ${place.number}`;
}

function namedOnly(diff: Diff, view: MarkdownView): readonly string[] {
  return [`- ${diffName(diff, view)}: left out. To read it: ${markdownProse(readCommand(diff))}`];
}

/** Limit of groups that a diff names, and of names of each. */
const GROUPS_MAX = 5;
const NAMES_MAX = 5;

/** `Diff 3: + create, 8 fields, campaign <code>Welcome</code> on 60 accounts: <code>acc00</code> …`. */
function diffName({ number, groups }: Diff, view: MarkdownView): string {
  const [group] = groups;
  const { mark, label } = wordOf(view.title, group.shared);
  const more = groups.length > GROUPS_MAX ? ` and ${groups.length - GROUPS_MAX} more` : '';
  const names = groups.slice(0, GROUPS_MAX).map((one) => briefTarget(one, view));
  return `Diff ${number}: ${mark} ${label}, ${count(fieldCount(group), 'field')}, ${names.join(', ')}${more}`;
}

/** A group with some of its names. */
function briefTarget(group: ChangeGroup, view: MarkdownView): string {
  const names = namesOf(group);
  if (names.length <= NAMES_MAX) return markdownTarget(group, view) + onAccount(group);
  const accounts = accountsOf(group);
  const on = accounts.length === 1 ? onAccount(group) : ` on ${accounts.length} accounts`;
  const some = names.slice(0, NAMES_MAX).map(markdownName).join(', ');
  return `${group.shared.address.kind} ${some} and ${names.length - NAMES_MAX} more${on}`;
}
