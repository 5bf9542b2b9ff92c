import { LEDGER_FILE } from '../helpers/scene.ts';
import { isAbout, lineOf, type Line } from './ledger-lines.ts';
import type { Actor, Chaos, Process, SentWrite } from './state.ts';

/** An entry of a ledger: a request that was announced, and what its lines say of it. */
interface Entry {
  readonly name: string;
  readonly begin: Line;
  /** The runs that have written about it. */
  readonly runs: ReadonlySet<unknown>;
  /** No outcome is on record, and no person has closed it. */
  readonly isOpen: boolean;
  readonly closings: readonly Line[];
  readonly outcomes: readonly Line[];
}

/** The entries of a ledger, oldest first. */
export function entriesIn(tree: Readonly<Record<string, string>>): readonly Entry[] {
  const lines = (tree[LEDGER_FILE] ?? '').split('\n').map(lineOf);
  return lines.flatMap((begin) => {
    const { type, entry } = begin;
    if ((type !== 'intent' && type !== 'act') || typeof entry !== 'string') return [];
    const own = lines.filter((line) => line['entry'] === entry);
    const closings = own.filter((line) => line['type'] === 'acknowledged');
    const outcomes = own.filter(({ type: kind }) => kind === 'outcome');
    const hasEnded = outcomes.some(({ outcome }) => outcome !== 'unknown');
    return [
      {
        name: entry,
        begin,
        runs: new Set(own.filter((line) => !closings.includes(line)).map(({ run }) => run)),
        isOpen: !hasEnded && closings.length === 0,
        closings,
        outcomes,
      },
    ];
  });
}

/** The requests that an entry is about, oldest first. */
export function requestsOf({ processes }: Chaos, { begin, runs }: Entry): readonly SentWrite[] {
  return processes
    .filter(({ ledgerRun }) => runs.has(ledgerRun))
    .flatMap(({ writes }) => writes)
    .filter(({ write }) => isAbout(begin, write) && isOfAccount(begin, write));
}

/** A payout is announced with the platform's id of the account. */
function isOfAccount(begin: Line, write: SentWrite['write']): boolean {
  return write.kind === 'payout' || ('accountId' in write && write.accountId === begin['account_id']);
}

/** The outcomes in the ledger of what the process has begun with such a write. */
export function endsOf({ actor, ledgerRun }: Process, write: SentWrite['write']): readonly Line[] {
  return entriesIn(actor.scene.files.tree)
    .filter(({ begin }) => begin['run'] === ledgerRun && isAbout(begin, write))
    .flatMap(({ outcomes }) => outcomes);
}

/** Whether a person has said of a request that no run is to wait for its outcome any more. */
export function isClosedByPerson(chaos: Chaos, actor: Actor, { request }: SentWrite): boolean {
  return entriesIn(actor.scene.files.tree).some(
    (entry) =>
      entry.closings.some(({ because }) => because !== undefined) &&
      requestsOf(chaos, entry).some((one) => one.request === request),
  );
}
