import { objectKey } from '../domain/knowledge.ts';
import type { Client } from '../api/client.ts';
import { groupBy } from '../domain/group-by.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import type { Observed } from '../domain/resource.ts';
import {
  isNamed,
  isRecalled,
  showsTarget,
  STATUS_MAY_LAG_MS,
  STATUS_TRAITS,
  targetStatusOf,
} from '../domain/status.ts';
import type { Ages } from '../ledger/ages.ts';
import type { LedgerReading } from '../ledger/reader.ts';
import type { AnsweredChange } from '../ledger/recent-answers.ts';
import { ensureAgesKnown } from '../live/hear-clock.ts';
import type { Scope } from '../live/read.ts';
import type { ReconcilePorts } from './ports.ts';

/** Between two reads of a list that may lag. */
const READ_AGAIN_MS = 1_000;

interface Lists {
  readonly client: Client;
  readonly ages: Ages;
  readonly reader: { read(): Promise<LedgerReading> };
  readonly scopes: readonly Scope[];
  readonly read: (scopes: readonly Scope[]) => Promise<readonly Observed[]>;
}

/**
 * Lists, read again while they may lag behind an answered status change or recall on record (ERROR-15). Without that, a plan
 * would take its own change for one that a person has undone. What they show in the end counts: within these seconds a person
 * may have changed the status back.
 *
 * | a list that was begun              | shows another status than the last answered change | is read |
 * |------------------------------------|----------------------------------------------------|---------|
 * | within 5 seconds of that answer    | yes                                                | again   |
 * | later, or none is on record        | yes                                                | once    |
 * | at any time                        | no                                                 | once    |
 */
export async function readUntilShown(
  { clock, interrupted }: Pick<ReconcilePorts, 'clock' | 'interrupted'>,
  { answers: onRecord }: LedgerReading,
  { client, ages, reader, scopes, read }: Lists,
): Promise<readonly Observed[]> {
  let answers = onRecord;
  let startedMs = clock.monotonicMs();
  let observed = await read(scopes);
  for (;;) {
    const contradicted = observed.flatMap((object) => contradictedBy(object, answers) ?? []);
    if (contradicted.length === 0) return observed;
    await ensureAgesKnown(client);
    const sinceMs = clock.monotonicMs() - startedMs;
    const ageAtStart = ({ answered, entry }: AnsweredChange) =>
      ages.ageMs(answered, `answer of ${entry}`) - sinceMs;
    const lagging = contradicted.filter(({ change }) => ageAtStart(change) < STATUS_MAY_LAG_MS);
    const keys = new Set(lagging.map(({ object }) => listOf(object)));
    if (keys.size === 0 || interrupted.aborted) return observed;
    await clock.sleep(READ_AGAIN_MS, interrupted).catch(() => undefined);
    // Another run may have changed it meanwhile. Then that is what the list has to show.
    ({ answers } = await reader.read());
    startedMs = clock.monotonicMs();
    const again = await read(scopes.filter(({ account, kind }) => keys.has(listOf({ ...account, kind }))));
    const lists = groupBy([...observed.filter((object) => !keys.has(listOf(object))), ...again], listOf);
    // In the order of the scopes, as one reading gives them.
    observed = scopes.flatMap(({ account, kind }) => lists.get(listOf({ ...account, kind })) ?? []);
  }
}

function listOf({ accountId, kind }: Pick<Observed, 'accountId' | 'kind'>): string {
  return `${accountId}/${kind}`;
}

interface Contradicted {
  readonly object: Observed;
  readonly change: AnsweredChange;
}

/** The last answered change, if the object shows a status that it cannot have come to by itself since. */
function contradictedBy(object: Observed, answers: ReadonlyMap<string, AnsweredChange>): Contradicted | null {
  if (answers.size === 0) return null;
  const change = answers.get(objectKey(object.accountId, object.kind, object.live.id));
  return change === undefined || !isBefore(object, change) ? null : { object, change };
}

/** A recall ends whatever was before it, and a status that no document names tells nothing. */
function isBefore({ kind, live }: Observed, { target }: AnsweredChange): boolean {
  const { statusOf, showsRecall } = KIND_ROWS[kind];
  const shown = statusOf(live);
  if (!isNamed(shown) || isRecalled(live)) return false;
  if (target === null) return showsRecall || STATUS_TRAITS[shown].runs;
  const status = targetStatusOf(target);
  return status !== null && !showsTarget(live, status);
}
