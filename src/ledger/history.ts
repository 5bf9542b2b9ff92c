import { compareText } from '../domain/diagnostic.ts';
import { actsOf, type Act } from './acts.ts';
import type { IntentLine, LedgerLine, OutcomeLine, ProtectionLine, RewriteLine, SeenLine } from './lines.ts';
import { instantText } from './instant-text.ts';
import { inOrderOfTime, sentAtServiceMs, writtenAt } from './order.ts';
import { reduceLedger } from './reduce.ts';
import { viewsIn } from './views.ts';

/** Something that Herald did, or learned, as `herald history` prints it. */
export interface HistoryItem {
  /** When it was begun by the service's clock, as far as its line tells that: ISO 8601 in UTC. */
  readonly at: string;
  /** When its end was known; null where it is not. */
  readonly ended_at: string | null;
  readonly run: string;
  /** A CI job or a person; null where the ledger does not say. */
  readonly who: string | null;
  /** `account/kind/name`; of an act its account, the first word of its operation and its subject. */
  readonly address: string;
  readonly account: string;
  readonly account_id: string;
  /** `campaign`, `broadcast`; of an act the first word of its operation. */
  readonly kind: string;
  readonly name: string;
  readonly action: string;
  /** Why an object was paused; null for everything else. */
  readonly purpose: string | null;
  /**
   * The recorded outcome. Or `overtaken`, if a later change of the same object was confirmed instead, or `acknowledged`,
   * if a person has closed an unconfirmed request. Or `blocked`, if an event says that the message guard stopped it.
   */
  readonly outcome: OutcomeLine['outcome'] | 'overtaken' | 'acknowledged' | 'blocked';
  readonly live_id: string | null;
  /** Of the declared content; null for what creates nothing. */
  readonly content_digest: string | null;
  /** The beginning of the digest, which `history diff` takes. */
  readonly version: string | null;
  /** Objects that it replaced. */
  readonly supersedes: readonly string[];
  readonly message: string;
  /** The ledger's name for it; null where it asked nothing of the service. */
  readonly entry: string | null;
  /** The simulator that got the request; null for the service itself, and if it is not known. */
  readonly simulator: string | null;
}

/** Digits of a digest that tell the versions of one resource apart. */
const VERSION_LENGTH = 8;

/** Which resources are asked for. */
type IsAsked = (about: Pick<HistoryItem, 'address' | 'account' | 'kind' | 'name'>) => boolean;

/** The history in the lines, oldest first. Lines that occur twice count once. */
export function historyOf(
  lines: readonly LedgerLine[],
  isAsked: IsAsked = () => true,
): readonly HistoryItem[] {
  const whoRan = new Map(lines.flatMap((line) => ('who' in line ? [[line.run, line.who] as const] : [])));
  const ends = lastEnds(lines);
  const items = [
    ...changesIn(lines, ends, isAsked),
    ...actsOf(lines).flatMap((act) => {
      const about = aboutAct(act);
      return isAsked(addressed(about)) ? [actItem(act, about, ends.get(act.entry))] : [];
    }),
    ...sightsIn(lines, whoRan, isAsked),
  ];
  return items.toSorted((left, right) => compareText(left.at, right.at));
}

/** The first digits of a digest, for people. */
export function versionOf(digest: string | null): string | null {
  return digest === null ? null : digest.slice(0, VERSION_LENGTH);
}

type Ends = ReadonlyMap<string, OutcomeLine>;

function changesIn(lines: readonly LedgerLine[], ends: Ends, isAsked: IsAsked): readonly HistoryItem[] {
  const intents = new Map<string, IntentLine>();
  for (const line of lines)
    if (line.type === 'intent' && isAsked(addressed(line))) intents.set(line.entry, line);
  const open = new Set(
    viewsIn(lines).flatMap((view) => reduceLedger(view.lines).open.map(({ entry }) => entry)),
  );
  const closed = new Map(
    lines.flatMap((line) =>
      line.type === 'acknowledged' ? [[line.entry, line.because ?? ''] as const] : [],
    ),
  );
  return [...intents.values()].map((intent) => {
    const item = changeItem(intent, ends.get(intent.entry), open);
    const because = closed.get(intent.entry);
    return item.outcome === 'overtaken' && because !== undefined
      ? { ...item, outcome: 'acknowledged', message: because }
      : item;
  });
}

/** The outcome of each entry. A known outcome is never replaced by an unknown one. */
function lastEnds(lines: readonly LedgerLine[]): Ends {
  const ends = new Map<string, OutcomeLine>();
  for (const line of inOrderOfTime(lines)) {
    if (line.type !== 'outcome') continue;
    if (line.outcome !== 'unknown' || (ends.get(line.entry)?.outcome ?? 'unknown') === 'unknown')
      ends.set(line.entry, line);
  }
  return ends;
}

const STATUS_ACTIONS: Readonly<Record<string, string>> = {
  active: 'activate',
  paused: 'pause',
  archived: 'archive',
  queued: 'resume',
};

function changeItem(
  intent: IntentLine,
  end: OutcomeLine | undefined,
  open: ReadonlySet<string>,
): HistoryItem {
  const isUnknown = end === undefined || end.outcome === 'unknown';
  return told(
    { ...subjectOf(intent), at: writtenAt(intent), run: intent.run, who: intent.who, origin: intent.origin },
    {
      ended_at: isUnknown ? null : writtenAt(end),
      action: changeAction(intent),
      purpose: intent.purpose,
      outcome: isUnknown ? (open.has(intent.entry) ? 'unknown' : 'overtaken') : end.outcome,
      live_id: end?.live_id ?? intent.live_id,
      content_digest: intent.content,
      supersedes: intent.supersedes,
      message: end?.message ?? '',
      entry: intent.entry,
    },
  );
}

function changeAction({ call, target }: IntentLine): string {
  if (call === 'create') return 'create';
  return call === 'unsend' ? 'recall' : (STATUS_ACTIONS[target ?? ''] ?? 'set status');
}

function aboutAct({ operation, account, accountId, subject }: Act): Subject {
  const [kind = operation] = operation.split('.');
  return { account, account_id: accountId, kind, name: subject };
}

function addressed({ account, kind, name }: Pick<Subject, 'account' | 'kind' | 'name'>) {
  return { address: `${account}/${kind}/${name}`, account, kind, name };
}

function actItem(act: Act, about: Subject, end: OutcomeLine | undefined): HistoryItem {
  const { operation, outcome, acknowledged, run, who, entry, origin } = act;
  const at = instantText(sentAtServiceMs(act));
  return told(
    { ...about, at, run, who, origin },
    {
      ended_at: outcome === 'unknown' || end === undefined ? null : writtenAt(end),
      action: operation,
      outcome: outcome === 'unknown' && acknowledged ? 'acknowledged' : outcome,
      live_id: act.liveId,
      message: act.message,
      entry,
    },
  );
}

/** What Herald learned without asking for anything. */
function sightsIn(
  lines: readonly LedgerLine[],
  whoRan: ReadonlyMap<string, string>,
  isAsked: IsAsked,
): readonly HistoryItem[] {
  const once = new Set<string>();
  return lines
    .filter((line) => line.type === 'seen' || line.type === 'rewrite' || line.type === 'protection')
    .filter((line) => isAsked(addressed(line)))
    .filter((line) => {
      const same = JSON.stringify(line);
      return !once.has(same) && once.add(same);
    })
    .map((line) =>
      told(
        {
          ...subjectOf(line),
          at: writtenAt(line),
          run: line.run,
          who: whoRan.get(line.run) ?? null,
          origin: line.origin,
        },
        { ...learned(line), ended_at: writtenAt(line), outcome: 'done', live_id: line.live_id },
      ),
    );
}

type Subject = Pick<HistoryItem, 'account' | 'account_id' | 'kind' | 'name'>;
type Begin = Subject & Pick<HistoryItem, 'at' | 'run' | 'who'> & { readonly origin: string | undefined };
type Story = Pick<HistoryItem, 'action' | 'outcome' | 'ended_at' | 'live_id' | 'message'> &
  Partial<Pick<HistoryItem, 'purpose' | 'content_digest' | 'supersedes' | 'entry'>>;

/** Every item with the same members in the same order. */
function told(begin: Begin, story: Story): HistoryItem {
  const { account, account_id, kind, name, at, run, who, origin } = begin;
  const digest = story.content_digest ?? null;
  return {
    at,
    ended_at: story.ended_at,
    run,
    who,
    address: addressed(begin).address,
    account,
    account_id,
    kind,
    name,
    action: story.action,
    purpose: story.purpose ?? null,
    outcome: story.outcome,
    live_id: story.live_id,
    content_digest: digest,
    version: versionOf(digest),
    supersedes: story.supersedes ?? [],
    message: story.message,
    entry: story.entry ?? null,
    simulator: origin ?? null,
  };
}

function learned(line: SeenLine | RewriteLine | ProtectionLine): Pick<HistoryItem, 'action' | 'message'> {
  switch (line.type) {
    case 'seen':
      return {
        action: 'take over',
        message: line.changed === true ? 'someone else changed its audience' : 'live and equal to the file',
      };
    case 'rewrite': {
      const paths = line.rewrites.map(({ path }) => path).join(', ');
      return { action: 'accept rewrite', message: `the service changed ${paths}` };
    }
    case 'protection':
      return line.protect
        ? { action: 'protect', message: 'declared with protect: true' }
        : { action: 'lift protection', message: 'declared without protect' };
  }
}

function subjectOf({
  account,
  account_id,
  kind,
  name,
}: IntentLine | SeenLine | RewriteLine | ProtectionLine): Subject {
  return { account, account_id, kind, name };
}
