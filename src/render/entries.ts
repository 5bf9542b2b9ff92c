import type { Change, Step } from '../domain/change.ts';
import { writes } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress, KIND_ROWS } from '../domain/resource.ts';
import { joined, quoted, shown, type Visible, visible } from '../domain/visible.ts';
import { viewDropped, viewField, type FieldView } from './difference.ts';
import { accountsIn, listAccounts, namesIn, type ChangeGroup } from './groups.ts';
import { markdownName, markdownProse } from './markdown-escape.ts';
import { shortenMiddle } from './shorten.ts';
import { span, type Span, type Tone } from './spans.ts';
import { goesLive, isIrreversible } from './summary.ts';
import { findZone, formatBytes, formatTimesIn, type Zones } from './values.ts';
import { findWord, STEP_WORDS, WORDS, type PlanTitle, type Word } from './wording.ts';

/** How to show the groups of a plan. */
export interface EntryView {
  readonly title: PlanTitle;
  /** All accounts of the plan, sorted. `acc00 … acc59` means all of them in between. */
  readonly accounts: readonly string[];
  readonly zones: Zones;
}

/** One group as people read it. Terminal and Markdown print the same entries. */
export interface Entry {
  readonly group: ChangeGroup;
  readonly word: Word;
  /** What a person must see first. */
  readonly badges: readonly { readonly text: string; readonly tone: Tone }[];
  readonly reasons: readonly Note[];
  readonly fields: readonly FieldView[];
  /** What differs by account. */
  readonly byAccount: readonly Visible[];
  /** Steps, and how to undo it. */
  readonly after: readonly Note[];
}

/** A sentence, which may quote text from outside. */
interface Note {
  readonly label: string;
  readonly text: string;
}

/** A part of a sentence about resources. `code` is a name or an address from outside that is not quoted. */
export interface Part {
  readonly as: 'text' | 'name' | 'code' | 'ids';
  readonly text: string;
}

export function makeEntry(group: ChangeGroup, view: EntryView): Entry {
  const { shared, changes } = group;
  const zone = findZone(changes, view.zones);
  const isPlan = view.title === 'plan';
  const note = (label: string, text: string): Note => ({ label, text: formatTimesIn(text, zone) });
  // In a drift report the differences are the reason. How a replace would work does not matter there.
  const hasReasons = isPlan || shared.fields.length === 0 || shared.action === 'blocked';
  const declaredOnly = shared.action === 'create';
  const undo = isIrreversible(shared) ? 'no undo: ' : 'undo: ';
  const steps = isPlan ? describeSteps(shared) : '';
  return {
    group,
    word: findWord(view.title, shared),
    badges: isPlan ? listBadges(shared) : [],
    reasons: [...(isPlan ? [] : describeLastApplied(group)), ...(hasReasons ? shared.reasons : [])].map(
      (reason) => note('', reason),
    ),
    fields: [
      ...shared.fields.map((field) => viewField(field, { declaredOnly, zone })),
      ...shared.dropped.map((one) => viewDropped(one, zone)),
    ],
    byAccount: listByAccount(group, view.accounts),
    after: [
      ...(steps === '' ? [] : [{ label: writes(shared) ? 'steps: ' : 'once allowed: ', text: steps }]),
      ...(isPlan && shared.undo !== '' ? [note(undo, shared.undo)] : []),
    ],
  };
}

/** `Last applied by root at 2026-06-01T12:00:00.000Z.` Empty if the state does not know, and for several changes. */
function describeLastApplied({ shared: { last_applied: last }, changes }: ChangeGroup): readonly string[] {
  if (last === undefined || changes.length > 1) return [];
  return [`Last applied ${last.who === null ? '' : `by ${last.who} `}at ${last.at}.`];
}

function listBadges(change: Change): Entry['badges'] {
  const live = goesLive(change);
  return [
    ...(isIrreversible(change) ? [{ text: 'cannot be undone', tone: 'loud' } as const] : []),
    ...(change.action === 'blocked' ? [{ text: describeNeeds(change), tone: 'loud' } as const] : []),
    ...(live === null ? [] : [{ text: live, tone: 'warn' } as const]),
  ];
}

/** What a blocked change needs: an allowance, or a person's decision. */
function describeNeeds({ needs }: Change): string {
  return needs.length === 0 ? 'needs a decision' : `needs ${listAllowances(needs)}`;
}

function listAllowances(needs: Change['needs']): string {
  return needs.map((name) => `--allow ${name}`).join(' ');
}

/**
 * `upload media/hello.jpg (9.8 KiB, about 6 s) → pause 4711 → create`. Everything is read back in the end. Empty for a
 * single step with the name of the change, which says no more.
 */
function describeSteps({ action, live_id: liveId, steps }: Change): string {
  const told = steps.filter(({ kind }) => kind !== 'read_back');
  const [first, ...others] = told;
  const isPlain = others.length === 0 && first?.kind === action && (first.live_id ?? '') === (liveId ?? '');
  return isPlain ? '' : told.map(describeStep).join(' → ');
}

function describeStep(step: Step): string {
  const word = STEP_WORDS[step.kind];
  if (step.kind === 'upload')
    return `${word} ${step.file} (${formatBytes(step.size)}, about ${step.about_sec} s)`;
  return `${word} ${step.live_id ?? ''}`.trimEnd();
}

/** Examples of the values of a variable, where they are more than a few. The page and JSON have all of them. */
const EXAMPLES = 2;
const FEW_VALUES = 3;

const VALUE_COLUMNS_MAX = 160;

/** What differs by account: variables in the fields, and ids in the reasons. */
function listByAccount(
  { changes, variables, ids }: ChangeGroup,
  accounts: readonly string[],
): readonly Visible[] {
  const values = variables.map(({ name, values: all }) => {
    const examples = all
      .slice(0, all.length > FEW_VALUES ? EXAMPLES : FEW_VALUES)
      .map(({ value, accounts: own }) => {
        const shortened = shortenMiddle(quoted(value), VALUE_COLUMNS_MAX);
        return joined([shortened, shown` on `, toText(describeAccounts(own, accounts))], '');
      });
    const more = all.length - examples.length;
    const rest = more === 0 ? [] : [shown`… and ${more} more`];
    return joined([shown`{{${name}}}: `, joined([...examples, ...rest], ', ')], '');
  });
  const first = ids[0] ?? [];
  const objects = first.map((_, index) => {
    const each = changes.map(({ address: { account } }, change) => {
      return shown`${toText([{ as: 'code', text: account }])} ${ids[change]?.[index] ?? '-'}`;
    });
    const label = first.length === 1 ? shown`<id> is: ` : shown`<id ${index + 1}> is: `;
    return joined([label, joined(each, ', ')], '');
  });
  return [...values, ...objects];
}

/** How to name the resources of a group. */
interface TargetStyle {
  readonly accounts: readonly string[];
  /** Its account and kind are in no heading above it. */
  readonly isAlone?: boolean;
  /** A group may have thousands of names. */
  readonly namesMax?: number;
}

const plain = (text: string): Part => ({ as: 'text', text });
const code = (text: string): Part => ({ as: 'code', text });

/** `"Welcome series" (4711)`, `"Welcome" on 60 accounts: acc00 … acc59`, or `2 campaigns: "Welcome" (1), "Hello" (2)`. */
export function describeTarget(
  { changes }: ChangeGroup,
  { accounts, isAlone = false, namesMax = Infinity }: TargetStyle,
): readonly Part[] {
  const own = accountsIn(changes);
  const { kind } = changes[0].address;
  const byName = [...groupBy(changes, ({ address }) => address.name).values()];
  const isOnAll = byName.every((same) => accountsIn(same).length === own.length);
  const names = byName
    .slice(0, namesMax)
    .flatMap((same, index): readonly Part[] => [
      ...(index === 0 ? [] : [plain(', ')]),
      { as: 'name', text: same[0]?.address.name ?? '' },
      ...(own.length > 1 ? [] : listIds(same)),
      ...(isOnAll ? [] : [plain(' on '), ...describeAccounts(accountsIn(same), accounts)]),
    ]);
  const more = byName.length - namesMax;
  const lead = byName.length > 1 ? `${byName.length} ${KIND_ROWS[kind].plural}: ` : isAlone ? `${kind} ` : '';
  return [
    ...(lead === '' ? [] : [plain(lead)]),
    ...names,
    ...(more > 0 ? [plain(` and ${more} more`)] : []),
    ...(own.length > 1 && isOnAll
      ? [plain(` on ${own.length} accounts: `), ...describeAccounts(own, accounts)]
      : []),
    ...(own.length === 1 && isAlone ? [plain(' on '), code(own[0] ?? '')] : []),
  ];
}

function listIds(changes: readonly Change[]): readonly Part[] {
  const ids = changes.map(({ live_id: id }) => id).filter((id) => id !== null);
  return ids.length === 0 ? [] : [{ as: 'ids', text: ids.join(', ') }];
}

/** `acc00 … acc06, acc08 … acc59`, `alice, bob`. */
export function describeAccounts(some: readonly string[], all: readonly string[]): readonly Part[] {
  return listAccounts(some, all).flatMap(([first, last], index) => [
    ...(index === 0 ? [] : [plain(', ')]),
    code(first),
    ...(first === last ? [] : [plain(' … '), code(last)]),
  ]);
}

/** What a person must see before a yes: `3 blocked`, with each group in few words. */
interface Attention {
  readonly mark: '! ' | '* ';
  readonly words: string;
  readonly tone: 'loud' | 'warn';
  readonly groups: readonly { readonly group: ChangeGroup; readonly target: readonly Part[] }[];
}

export function listAttention(groups: readonly ChangeGroup[]): readonly Attention[] {
  const reaches = [...new Set(groups.map(({ shared }) => goesLive(shared)))].filter(
    (reach) => reach !== null,
  );
  const make = (mark: Attention['mark'], words: string, isMeant: (change: Change) => boolean): Attention => ({
    mark,
    words,
    tone: mark === '! ' ? 'loud' : 'warn',
    groups: groups
      .filter(({ shared }) => isMeant(shared))
      .map((group) => ({ group, target: describeBriefly(group) })),
  });
  return [
    make('! ', 'cannot be undone', isIrreversible),
    make('! ', 'blocked', ({ action }) => action === 'blocked'),
    ...reaches.toSorted().map((reach) => make('* ', reach, (change) => goesLive(change) === reach)),
  ].filter((one) => one.groups.length > 0);
}

/** `alice/campaign/Welcome`, `recall alice/campaign/Oops`, or `campaign "Welcome" on 60 accounts`. */
function describeBriefly({ shared, changes }: ChangeGroup): readonly Part[] {
  const [{ address }, ...others] = changes;
  const [name = '', ...more] = namesIn(changes);
  const [account = '', ...further] = accountsIn(changes);
  const what: readonly Part[] =
    others.length === 0
      ? [code(formatAddress(address))]
      : [
          ...(more.length === 0
            ? [plain(`${address.kind} `), { as: 'name', text: name } as const]
            : [plain(`${more.length + 1} ${KIND_ROWS[address.kind].plural}`)]),
          ...(further.length === 0
            ? [plain(' on '), code(account)]
            : [plain(` on ${further.length + 1} accounts`)]),
        ];
  const verb = isIrreversible(shared) ? [plain(`${WORDS.plan[shared.action].label} `)] : [];
  const needs = shared.action === 'blocked' ? listAllowances(shared.needs) : '';
  return [...verb, ...what, ...(needs === '' ? [] : [plain(` (${needs})`)])];
}

/** Names have up to 512 units (CONTENT-2). The name of a live broadcast may be its whole text. */
const NAME_COLUMNS_MAX = 160;
const CODE_COLUMNS_MAX = 60;

/** The parts for a terminal. */
export function toSpans(parts: readonly Part[], nameColumns = NAME_COLUMNS_MAX): readonly Span[] {
  return parts.map(({ as, text }) => {
    switch (as) {
      case 'name':
        return span(shortenMiddle(quoted(text), nameColumns), 'strong');
      case 'code':
        return span(shortenMiddle(visible(text), CODE_COLUMNS_MAX));
      case 'ids':
        return span(shown` (${text})`, 'dim');
      case 'text':
        return span(visible(text));
    }
  });
}

export function toText(parts: readonly Part[], nameColumns = NAME_COLUMNS_MAX): Visible {
  return joined(
    toSpans(parts, nameColumns).map(({ text }) => text),
    '',
  );
}

/** The parts for Markdown. What is from outside is code, where sites do not look for mentions. */
export function toMarkdown(parts: readonly Part[]): string {
  const each = parts.map(({ as, text }) => {
    if (as === 'text') return text;
    return as === 'ids' ? ` (${markdownProse(text)})` : markdownName(text);
  });
  return each.join('');
}
