import { type Change, type DriftCause, type Plan, type Step, writes } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import { type Declared, formatAddress, KIND_ROWS } from '../domain/resource.ts';
import { joined, quoted, shown, type Visible, visible } from '../domain/visible.ts';
import { viewFields, type FieldView } from './difference.ts';
import { accountsIn, groupChanges, type ChangeGroup, VALUE_COLUMNS_MAX } from './groups.ts';
import { markdownName, markdownProse } from './markdown-escape.ts';
import { span, type Span, type Tone, shortenMiddle } from './spans.ts';
import { findZone, formatBytes, formatTimesIn, NO_ZONES, type Zones } from './values.ts';
import { findWord, type PlanTitle, WITHOUT_CHANGE, type Word } from './wording.ts';

export interface PlanView {
  readonly title: PlanTitle;
  /** Shows each change on its own. Otherwise changes that do the same are one entry. */
  readonly expand?: boolean | undefined;
  /** The flags that limit the run, such as `--target`. Its next commands repeat them. */
  readonly limits?: readonly string[];
  /** What to do in place of the commands of a drift, for Markdown. */
  readonly instead?: Visible | null;
  /** Declared time zones, by address. Times of other resources are in UTC. */
  readonly zones?: Zones;
  /** Values of the variables, by account, if the plan does not have them. */
  readonly variables?: Plan['variables'];
  /** All accounts, sorted, if there are more than those with a change: `acc00 … acc59` means all of them in between. */
  readonly accounts?: readonly string[];
}

/** What a plan does not have of the files: the time zones by address, and the variables that texts name by account. */
export function readDeclared(declared: readonly Declared[]) {
  const zones = new Map<string, string>();
  // Without a prototype: an account may be called `constructor`.
  const variables = Object.create(null) as Record<string, Record<string, string>>;
  for (const { address, timezone, written } of declared) {
    if (timezone !== null) zones.set(formatAddress(address), timezone);
    if (written === undefined) continue;
    const text = JSON.stringify([written.messages, written.audience_filters]);
    for (const [name, value] of written.variables)
      if (text.includes(`{{${name}}}`)) (variables[address.account] ??= {})[name] = value;
  }
  return { zones, ...(declared.length > 0 && { variables }) };
}

/** One group as people read it. Terminal, Markdown and page draw the same entries. */
export interface Entry {
  readonly group: ChangeGroup;
  /** The heading that it is below. */
  readonly section: string;
  readonly word: Word;
  /** `campaign "Welcome" (4711) on alice`. */
  readonly target: Phrase;
  /** With what is done: `recall campaign "Oops" (99) on alice`, or `campaign "Summer" (812) on alice (needs --allow resume)`. */
  readonly brief: Phrase;
  /** `acc00 … acc06, acc08 … acc59`, `alice, bob`. */
  readonly accounts: Visible;
  /** Of its resources, each once, sorted. */
  readonly names: readonly string[];
  readonly isIrreversible: boolean;
  /** What a person must see first. */
  readonly badges: readonly { readonly text: string; readonly tone: Tone }[];
  readonly reasons: readonly Note[];
  readonly fields: readonly FieldView[];
  readonly byAccount: readonly Visible[];
  /** Steps, and how to undo it. */
  readonly after: readonly Note[];
}

/** A sentence, which may quote text from outside. */
export interface Note {
  readonly label: string;
  readonly text: string;
}

/** Names have up to 512 units (CONTENT-2). The name of a live broadcast may be its whole text. */
const NAME_COLUMNS_MAX = 160;
const CODE_COLUMNS_MAX = 60;

/** Words about resources, for each way to draw them. */
export class Phrase {
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  /**
   * `campaign "Welcome" (4711) on alice`, `campaign "Welcome" on 60 accounts: acc00 … acc59`, or
   * `2 campaigns: "Welcome" (1), "Hello" (2) on alice`.
   */
  static nameTarget(changes: readonly Target[], accounts: readonly string[]): Phrase {
    return new Phrase(listTarget(changes, accounts));
  }

  /** For a terminal. */
  toSpans(nameColumns = NAME_COLUMNS_MAX): readonly Span[] {
    return this.#parts.map(({ as, text }) => {
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

  toText(nameColumns?: number): Visible {
    const texts = this.toSpans(nameColumns).map(({ text }) => text);
    return joined(texts, '');
  }

  /** What is from outside is code, where sites do not look for mentions. */
  toMarkdown(): string {
    const each = this.#parts.map(({ as, text }) => {
      if (as === 'text') return text;
      return as === 'ids' ? ` (${markdownProse(text)})` : markdownName(text);
    });
    return each.join('');
  }
}

/** A part of a sentence about resources. `code` is a name or an address from outside that is not quoted. */
interface Part {
  readonly as: 'text' | 'name' | 'code' | 'ids';
  readonly text: string;
}

const BLOCKED = 'Blocked: a person must decide';
const UNMANAGED = 'Unmanaged, created by Herald; --allow prune stops them';

/** First what someone did outside of the files. */
const CAUSES = {
  service: 'Changed on the service',
  both: 'Changed in the files and on the service',
  files: 'Not applied yet',
  unknown: 'Differs, and the state does not know why',
} as const satisfies Record<DriftCause, string>;

/** The sections of a plan and of a drift, what matters most first. */
const SECTIONS: Readonly<Record<PlanTitle, readonly string[]>> = {
  plan: ['Cannot be undone', 'Goes to fans', BLOCKED, 'Other changes', UNMANAGED],
  drift: [BLOCKED, ...Object.values(CAUSES), UNMANAGED],
};

function isIrreversible(change: Change): boolean {
  return writes(change) && !change.reversible;
}

/** A campaign is live when its create or its activation is answered (CAMPAIGN-1). A broadcast waits for its hour. */
function isLiveAtOnce({ address: { kind }, action }: Change): boolean {
  return kind === 'campaign' && TO_FANS.includes(action);
}

/** Changes that send to fans, now or at their hour. */
export const TO_FANS: readonly Change['action'][] = ['create', 'replace', 'activate', 'resume'];

function chooseSection(change: Change, title: PlanTitle): string {
  if (WITHOUT_CHANGE.includes(change.action)) return UNMANAGED;
  if (title === 'drift') return change.action === 'blocked' ? BLOCKED : CAUSES[change.cause ?? 'unknown'];
  if (isIrreversible(change)) return 'Cannot be undone';
  if (change.action === 'blocked') return BLOCKED;
  return TO_FANS.includes(change.action) ? 'Goes to fans' : 'Other changes';
}

/** What people read of a plan: everything but what is unchanged, and what is not ours. In the order of the sections. */
export function makeEntries(plan: Plan, view: PlanView): readonly Entry[] {
  const { expand = false, variables = plan.variables ?? {} } = view;
  const changes = plan.changes.filter(
    ({ action, needs }) =>
      !WITHOUT_CHANGE.includes(action) || (action === 'unmanaged' && needs.includes('prune')),
  );
  const accounts = view.accounts ?? accountsIn(plan.changes);
  const entries = groupChanges(changes, { variables, expand }).map((group) =>
    makeEntry(group, view, accounts),
  );
  return SECTIONS[view.title].flatMap((section) => entries.filter((entry) => entry.section === section));
}

function makeEntry(group: ChangeGroup, view: PlanView, accounts: readonly string[]): Entry {
  const { shared, changes } = group;
  const zone = findZone(changes, view.zones ?? NO_ZONES);
  const isPlan = view.title === 'plan';
  const note = (label: string, text: string): Note => ({ label, text: formatTimesIn(text, zone) });
  // In a drift report the differences are the reason. How a replace would work does not matter there.
  const hasReasons = isPlan || shared.fields.length === 0 || shared.action === 'blocked';
  const reasons = [...(isPlan ? [] : describeLastApplied(group)), ...(hasReasons ? shared.reasons : [])];
  const undo = isIrreversible(shared) ? 'no undo: ' : 'undo: ';
  const steps = isPlan ? describeSteps(shared) : '';
  const target = listTarget(changes, accounts);
  return {
    group,
    section: chooseSection(shared, view.title),
    word: findWord(view.title, shared),
    target: new Phrase(target),
    brief: new Phrase(
      shared.action === 'blocked'
        ? [...target, plain(` (${describeNeeds(shared)})`)]
        : [plain(`${findWord('plan', shared).label} `), ...target],
    ),
    accounts: new Phrase(describeAccounts(accountsIn(changes), accounts)).toText(),
    names: namesIn(changes),
    isIrreversible: isIrreversible(shared),
    badges: isPlan ? listBadges(shared) : [],
    reasons: [...reasons, ...describeQueued(changes)].map((reason) => note('', reason)),
    fields: viewFields(shared, { declaredOnly: shared.action === 'create', zone }),
    byAccount: listByAccount(group, accounts),
    after: [
      ...(steps === '' ? [] : [{ label: writes(shared) ? 'steps: ' : 'once allowed: ', text: steps }]),
      ...(isPlan && shared.undo !== '' ? [note(undo, shared.undo)] : []),
    ],
  };
}

/** Names of changes, each once, sorted. */
function namesIn(changes: readonly Change[]): readonly string[] {
  return [...new Set(changes.map(({ address }) => address.name))].toSorted(compareText);
}

/** `Last applied by root at 2026-06-01T12:00:00.000Z.` Empty if the state does not know, and for several changes. */
function describeLastApplied({ shared: { last_applied: last }, changes }: ChangeGroup): readonly string[] {
  if (last === undefined || changes.length > 1) return [];
  return [`Last applied ${last.who === null ? '' : `by ${last.who} `}at ${last.at}.`];
}

/** The queued sends of several changes. The sentences of a single one have its numbers. */
function describeQueued(changes: readonly Change[]): readonly string[] {
  const queued = changes.flatMap((change) => change.queued ?? []);
  if (changes.length === 1 || queued.length === 0) return [];
  const sum = (key: 'about' | 'targeted' | 'sent') => queued.reduce((total, one) => total + one[key], 0);
  return [`Queued in all: about ${sum('about')} sends (${sum('targeted')} targeted, ${sum('sent')} sent).`];
}

function listBadges(change: Change): Entry['badges'] {
  return [
    ...(isIrreversible(change) ? [{ text: 'cannot be undone', tone: 'loud' } as const] : []),
    ...(change.action === 'blocked' ? [{ text: describeNeeds(change), tone: 'loud' } as const] : []),
    ...(isLiveAtOnce(change) ? [{ text: 'live at once', tone: 'warn' } as const] : []),
  ];
}

/** What a blocked change needs: an allowance, or a person's decision. */
function describeNeeds({ needs }: Change): string {
  return `needs ${needs.map((name) => `--allow ${name}`).join(' ') || 'a decision'}`;
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
  const { kind, live_id: id } = step;
  if (kind === 'upload') return `upload ${step.file} (${formatBytes(step.size)}, about ${step.about_sec} s)`;
  // Of several objects, a step names none.
  if (kind === 'check_not_left') return `check that ${id || 'it'} has not left`;
  return `${kind} ${id ?? ''}`.trimEnd();
}

/** Examples of what differs, where there are more than a few values. The page and JSON have all of them. */
const EXAMPLES = 2;
const FEW_VALUES = 3;
/** A name or an id. Any other value may be a message of its own, so that none is left out. */
const NAME = /^(?=.{1,24}$)[\p{L}\p{N}'-]+(?: [\p{L}\p{N}'-]+)?$/u;

/** `{{first_name}}: "Alice" on alice, "Bob" on bob, … and 38 more`. */
function listByAccount({ variables }: ChangeGroup, accounts: readonly string[]): readonly Visible[] {
  return variables.map(({ name, values }) => {
    const isCut = values.length > FEW_VALUES && values.every(({ value }) => NAME.test(value));
    const examples = values.slice(0, isCut ? EXAMPLES : values.length).map(({ value, accounts: own }) => {
      const shortened = shortenMiddle(quoted(value), VALUE_COLUMNS_MAX);
      return joined([shortened, shown` on `, new Phrase(describeAccounts(own, accounts)).toText()], '');
    });
    const more = values.length - examples.length;
    const rest = more === 0 ? [] : [shown`… and ${more} more`];
    return joined([shown`${name}: `, joined([...examples, ...rest], ', ')], '');
  });
}

type Target = Pick<Change, 'address' | 'live_id'>;

/** A group may have thousands of names. `--expand`, the page and JSON have all of them. */
const NAMES_MAX = 20;

const plain = (text: string): Part => ({ as: 'text', text });
const code = (text: string): Part => ({ as: 'code', text });

function listTarget(changes: readonly Target[], accounts: readonly string[]): readonly Part[] {
  const own = accountsIn(changes);
  const kind = changes[0]?.address.kind ?? 'campaign';
  const byName = [...groupBy(changes, ({ address }) => address.name).values()];
  const isOnAll = byName.every((same) => accountsIn(same).length === own.length);
  const names = byName
    .slice(0, NAMES_MAX)
    .flatMap((same, index): readonly Part[] => [
      ...(index === 0 ? [] : [plain(', ')]),
      { as: 'name', text: same[0]?.address.name ?? '' },
      ...(own.length > 1 ? [] : listIds(same)),
      ...(isOnAll ? [] : [plain(' on '), ...describeAccounts(accountsIn(same), accounts)]),
    ]);
  const more = byName.length - NAMES_MAX;
  const where = own.length === 1 ? '' : ` ${own.length} accounts:`;
  return [
    plain(byName.length > 1 ? `${byName.length} ${KIND_ROWS[kind].plural}: ` : `${kind} `),
    ...names,
    ...(more > 0 ? [plain(` and ${more} more`)] : []),
    ...(isOnAll ? [plain(` on${where} `), ...describeAccounts(own, accounts)] : []),
  ];
}

function listIds(changes: readonly Target[]): readonly Part[] {
  const ids = changes.map(({ live_id: id }) => id).filter((id) => id !== null);
  return ids.length === 0 ? [] : [{ as: 'ids', text: ids.join(', ') }];
}

/** `acc00 … acc06, acc08 … acc59`, `alice, bob`. */
function describeAccounts(some: readonly string[], all: readonly string[]): readonly Part[] {
  return listAccounts(some, all).flatMap(([first, last], index) => [
    ...(index === 0 ? [] : [plain(', ')]),
    code(first),
    ...(first === last ? [] : [plain(' … '), code(last)]),
  ]);
}

/** What a person must see before a yes: `3 blocked`, with the entries. */
interface Attention {
  readonly words: string;
  readonly tone: 'loud' | 'warn';
  /** How many changes. */
  readonly number: number;
  readonly names: readonly string[];
  readonly entries: readonly Entry[];
}

export function listAttention(entries: readonly Entry[]): readonly Attention[] {
  const make = (tone: Attention['tone'], words: string, isMeant: (change: Change) => boolean): Attention => {
    const found = entries.filter(({ group }) => isMeant(group.shared));
    const names = namesIn(found.flatMap(({ group }) => group.changes));
    return { words, tone, number: countChanges(found), names, entries: found };
  };
  return [
    make('loud', 'cannot be undone', isIrreversible),
    make('loud', 'blocked', ({ action }) => action === 'blocked'),
    make('warn', 'live at once', isLiveAtOnce),
  ].filter(({ number }) => number > 0);
}

export function countChanges(entries: readonly Entry[]): number {
  return entries.reduce((sum, { group }) => sum + group.changes.length, 0);
}

/** Up to this many accounts are named one by one. */
const NAMED_MAX = 6;
/** Neighbours are shortened from this number on. */
const RUN_MIN = 3;

/**
 * The accounts `some` among `all`, as first and last of neighbours, such as `acc00 … acc06, acc08 … acc59`. Both are the same for a
 * single account. Both lists are sorted, and `all` has those of `some`.
 */
function listAccounts(
  some: readonly string[],
  all: readonly string[],
): readonly (readonly [first: string, last: string])[] {
  const alone = (name: string) => [name, name] as const;
  if (some.length <= NAMED_MAX) return some.map(alone);
  const places = new Map(all.map((name, index) => [name, index]));
  const runs: string[][] = [];
  for (const [index, name] of some.entries()) {
    const isNext = places.get(name) === (places.get(some[index - 1] ?? '') ?? NaN) + 1;
    const run = isNext ? runs.at(-1) : undefined;
    if (run === undefined) runs.push([name]);
    else run.push(name);
  }
  return runs.flatMap((run) =>
    run.length < RUN_MIN ? run.map(alone) : [[run[0] ?? '', run.at(-1) ?? ''] as const],
  );
}
