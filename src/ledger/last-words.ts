import { objectKey, type KnownObject } from '../domain/knowledge.ts';
import { saidAccount } from './account-ids.ts';
import { effectsOf, type Effect } from './effects.ts';
import type { CompactedLine, IntentLine, KnownLine, LedgerLine } from './lines.ts';
import type { Field } from './object-fields.ts';
import { timeOf, type Written } from './order.ts';
import type { Reduced } from './reduced.ts';
import { countsFrom } from './word-times.ts';

/** The compaction that puts lines away, as its marks name it. */
export type Compacting = Pick<CompactedLine, 'who' | 'before' | 'archive'>;

/** A line that goes. */
interface Leaving {
  readonly line: LedgerLine;
  readonly text: string;
  readonly number: number;
  /** The intent of an outcome. */
  readonly intent: IntentLine | undefined;
}

/** A line of an earlier compaction that is needed only as long as it has the last word on something. */
export function saysOnlyLastWords(line: LedgerLine): boolean {
  return line.type === 'known' || (line.type === 'compacted' && line.account !== undefined);
}

/**
 * What stays of a line that goes: the fields of which it says the last word to those whom it is about, and the account
 * of its alias, if it tells that last. A line that counts for everybody is overruled by such lines only.
 */
export function lastWordsOf(
  leaving: Leaving,
  view: Reduced | undefined,
  compacting: Compacting,
): readonly string[] {
  const { line, text, number } = leaving;
  const known = knownLinesOf(leaving, view);
  const said = saidAccount(line);
  const isLast = said !== null && view?.accountLineOf(said.account) === number;
  const texts = known.map((one) => JSON.stringify(one));
  if (!isLast || known.some((one) => saidAccount(one) !== null)) return texts;
  return [line.type === 'compacted' ? text : JSON.stringify(accountLine(line, said, compacting)), ...texts];
}

function knownLinesOf({ line, number, intent }: Leaving, view: Reduced | undefined): readonly KnownLine[] {
  const effects = effectsOf(line, { get: () => intent });
  return effects.flatMap((effect, index) => {
    const key = objectKey(effect.accountId, effect.kind, effect.id);
    const later = effects.slice(index + 1).filter((other) => keyOf(other) === key);
    const fields = Object.entries(effect.parts).filter(
      ([field]) =>
        view?.lineOf(key, field as Field) === number &&
        !later.some(({ parts }) => Object.hasOwn(parts, field)),
    );
    return fields.length === 0
      ? []
      : [knownOf(line, countsFrom(line, intent), effect, Object.fromEntries(fields))];
  });
}

function keyOf({ accountId, kind, id }: Effect): string {
  return objectKey(accountId, kind, id);
}

function knownOf(
  line: LedgerLine,
  timed: Written,
  { account, accountId, kind, id }: Effect,
  set: Partial<KnownObject>,
): KnownLine {
  return {
    v: 1,
    ...timeOf(timed),
    ...writerOf(line),
    type: 'known',
    account,
    account_id: accountId,
    kind,
    live_id: id,
    set,
    ...(saidAccount(line) === null ? { tells_account: false } : {}),
  };
}

function accountLine(
  line: LedgerLine,
  said: { readonly account: string; readonly account_id: string },
  { who, before, archive }: Compacting,
): CompactedLine {
  const writer = writerOf(line);
  return { v: 1, ...timeOf(line), ...writer, type: 'compacted', who, before, archive, creators: [], ...said };
}

function writerOf({ run, origin }: LedgerLine): Pick<LedgerLine, 'run' | 'origin'> {
  return { run, ...(origin === undefined ? {} : { origin }) };
}
