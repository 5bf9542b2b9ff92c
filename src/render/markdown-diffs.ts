import type { Change } from '../domain/change.ts';
import type { Address } from '../domain/resource.ts';
import { shown, type Visible } from '../domain/visible.ts';
import { droppedDiffLines } from './dropped.ts';
import { fieldDiffLines, type FieldLines } from './field-markdown.ts';
import { compactJson } from './json.ts';
import { markdownFence, markdownName } from './markdown-escape.ts';
import { byteLength } from './markdown-limit.ts';
import { count, WORDS } from './wording.ts';

/** The fields of changes that differ in the same way, with a number for references. */
interface Diff {
  readonly number: number;
  readonly changes: readonly [Change, ...Change[]];
}

/** The number of the diff of a change. Null if no field differs. */
export type DiffNumbers = (change: Change) => number | null;

export interface DistinctDiffs {
  readonly diffs: readonly Diff[];
  readonly numberOf: DiffNumbers;
}

/** The distinct diffs of these changes, in their order. */
export function distinctDiffs(changes: readonly Change[]): DistinctDiffs {
  const diffs = new Map<string, { number: number; changes: [Change, ...Change[]] }>();
  const numbers = new Map<Change, number>();
  for (const change of changes) {
    if (fieldCount(change) === 0) continue;
    const key = compactJson([change.action, change.fields, change.dropped]);
    const known = diffs.get(key);
    if (known === undefined) diffs.set(key, { number: diffs.size + 1, changes: [change] });
    else known.changes.push(change);
    numbers.set(change, known?.number ?? diffs.size);
  }
  return { diffs: [...diffs.values()], numberOf: (change) => numbers.get(change) ?? null };
}

function fieldCount({ fields, dropped }: Change): number {
  return fields.length + dropped.length;
}

/** Printed texts, with their diff and path. */
type Printed = Map<string, { readonly number: number; readonly path: string }>;

/** Shorter texts are printed again, because a reference would not be shorter. */
const REFERRED_MIN = 80;

/** All diffs, with each text once. */
export function* allDiffs(diffs: readonly Diff[]): Generator<string> {
  if (diffs.length === 0) return;
  yield* title(diffs.length);
  const printed: Printed = new Map();
  for (const diff of diffs) {
    const { lines, texts } = drawDiff(diff, printed, 'whole');
    yield* lines;
    remember(printed, texts);
  }
}

/** Reserved for the line that counts diffs without a name. */
const MORE_BYTES = 100;

/**
 * As many diffs as fit. A diff that does not fit is drawn without its long texts, or only named. `left` counts those.
 */
export function diffsWithin(
  diffs: readonly Diff[],
  limit: number,
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
  let unnamed = 0;
  for (const diff of diffs) {
    const whole = drawDiff(diff, printed, 'whole');
    if (take(whole.lines)) {
      remember(printed, whole.texts);
      continue;
    }
    left += 1;
    if (!take(drawDiff(diff, printed, 'short').lines) && !take(namedOnly(diff))) unnamed += 1;
  }
  if (unnamed > 0) lines.push(`- … and ${count(unnamed, 'more diff')}, left out`);
  return { lines: [...lines, ''], left };
}

function remember(printed: Printed, texts: Printed): void {
  for (const [text, place] of texts) printed.set(text, place);
}

function title(number: number): readonly string[] {
  return [`#### Diffs, each once (${number})`, ''];
}

/** A closed block. `short`: long texts are replaced by their numbers of characters. */
function drawDiff(
  diff: Diff,
  printed: Printed,
  mode: 'whole' | 'short',
): { readonly lines: readonly string[]; readonly texts: Printed } {
  const [change] = diff.changes;
  const { action, fields } = change;
  const texts: Printed = new Map();
  const lines = fields.flatMap((field): readonly Visible[] => {
    const drawn = fieldDiffLines(field, action === 'create');
    const { path, text } = drawn;
    if (text === null || text.length < REFERRED_MIN) return drawn.lines;
    const place = printed.get(text) ?? texts.get(text);
    if (place !== undefined) return [shown`  ${path}: as ${placeWords(drawn, place, diff)}`];
    if (mode === 'short')
      return [shown`  ${path}: ${text.length} characters left out; herald plan shows them`];
    texts.set(text, { number: diff.number, path });
    return drawn.lines;
  });
  const block = [
    `<details><summary>${diffName(diff)}</summary>`,
    '',
    ...markdownFence('diff', [...lines, ...droppedDiffLines(change)]),
    '',
    '</details>',
    '',
  ];
  return { lines: block, texts };
}

/** `in diff 3`, `messages[0].text in diff 3`, `messages[0].text`. */
function placeWords({ path }: FieldLines, place: { number: number; path: string }, diff: Diff): string {
  if (place.number === diff.number) return place.path;
  return `${place.path === path ? '' : `${place.path} `}in diff ${place.number}`;
}

function namedOnly(diff: Diff): readonly string[] {
  return [`- ${diffName(diff)}: left out; \`herald plan\` shows it`];
}

/** Limits of resources per diff, and of accounts per resource. */
const RESOURCES_MAX = 5;
const ACCOUNTS_MAX = 20;

/** `Diff 3: + create, 8 fields, campaign <code>Welcome</code> on <code>alice</code>, <code>bob</code>`. */
function diffName({ number, changes }: Diff): string {
  const [change] = changes;
  const { mark, label } = WORDS.plan[change.action];
  const resources = new Map<string, { readonly address: Address; readonly accounts: string[] }>();
  for (const { address } of changes) {
    const key = `${address.kind} ${address.name}`;
    const known = resources.get(key);
    if (known === undefined) resources.set(key, { address, accounts: [address.account] });
    else known.accounts.push(address.account);
  }
  const names = listed([...resources.values()], RESOURCES_MAX, ({ address, accounts }) => {
    return `${address.kind} ${markdownName(address.name)} on ${listed(accounts, ACCOUNTS_MAX, markdownName)}`;
  });
  return `Diff ${number}: ${mark} ${label}, ${count(fieldCount(change), 'field')}, ${names}`;
}

function listed<Item>(items: readonly Item[], atMost: number, draw: (item: Item) => string): string {
  const more = items.length > atMost ? ` and ${items.length - atMost} more` : '';
  return items.slice(0, atMost).map(draw).join(', ') + more;
}
