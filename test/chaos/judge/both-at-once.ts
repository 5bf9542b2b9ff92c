import { broadcastStatusOf, STATUS_TRAITS } from '../../../src/domain/status.ts';
import { compareIds } from '../../../src/domain/ids.ts';
import type { RequestRecord } from '../../../src/simulator/records.ts';
import type { Ended } from '../run.ts';
import type { Chaos, Process } from '../state.ts';
import { hasRightClock, hasWholeLedger, isUnhindered } from './calm.ts';

/** What was made so long before the last list of a run has been there when that list was read. */
const BEFORE_LIST_MS = 100;

/**
 * Two broadcasts of one name that both still go out when a command has sent one of them: a pause could stop the rest of each,
 * so the command names both. It can know that only if its last list has shown both, and if nothing kept it from looking.
 */
export function bothGoOutUntold(chaos: Chaos, { process, ran, interrupted }: Ended): string[] {
  const { run, task } = process;
  const { wish } = task;
  if (run.command.kind !== 'send at once' || wish?.kind !== 'create') return [];
  if (ran.code !== 0 || interrupted || !canKnow(chaos, process)) return [];
  const list = lastList(chaos, process);
  if (list === undefined) return [];
  const named = goingOut(chaos, wish.accountId, wish.name ?? '', Date.parse(list.at));
  const own = named.find(({ madeBy }) => madeBy !== null && process.requests.has(madeBy));
  if (own === undefined || (own.madeBy ?? 0) > list.request) return [];
  const out = named.filter(
    (one) =>
      one === own ||
      (compareIds(one.id, own.id) < 0 && one.lastPlace < own.firstPlace) ||
      one.lastChangeMs <= Date.parse(list.at) - BEFORE_LIST_MS,
  );
  if (out.length < 2) return [];
  const said = `${ran.stdout}${ran.stderr}`;
  const untold = out.filter(({ id }) => !said.includes(id));
  return untold.length === 0
    ? []
    : [`"${wish.name ?? ''}" goes out twice, and it does not name ${untold.map(({ id }) => id).join(', ')}`];
}

function canKnow(chaos: Chaos, process: Process): boolean {
  return (
    isUnhindered(chaos, process) &&
    hasWholeLedger(chaos, process.actor) &&
    hasRightClock(chaos, process.actor) &&
    !chaos.scenario.crowded
  );
}

function lastList({ simulator: { world } }: Chaos, { requests }: Process): RequestRecord | undefined {
  const asked = [...requests].flatMap((request) => world.requests[request - 1] ?? []);
  return asked.findLast(({ operation }) => operation === 'broadcasts.list');
}

interface GoingOut {
  readonly id: string;
  /** The request that made it; null where it was a person. */
  readonly madeBy: number | null;
  /** Where its create and its last change are among all changes of the service. What a person made has no create there. */
  readonly firstPlace: number;
  readonly lastPlace: number;
  readonly lastChangeMs: number;
}

/** Those of the name that go out now, and that lists do not leave out at a time. */
function goingOut(chaos: Chaos, accountId: string, name: string, atMs: number): readonly GoingOut[] {
  const { world } = chaos.simulator;
  const placed = world.commits.flatMap((commit, place) =>
    commit.kind === 'broadcast' ? [{ commit, place }] : [],
  );
  return Object.values(world.accounts[accountId]?.broadcasts ?? {})
    .filter(({ live }) => live.name === name && STATUS_TRAITS[broadcastStatusOf(live)].goingOut)
    .filter(({ listedFromMs }) => listedFromMs <= atMs)
    .map(({ live: { id, created_at: createdAt } }) => {
      const own = placed.filter(({ commit }) => commit.id === id);
      return {
        id,
        madeBy: own[0]?.commit.cause.request ?? null,
        firstPlace: own[0]?.place ?? 0,
        lastPlace: own.at(-1)?.place ?? -1,
        lastChangeMs: Date.parse(own.at(-1)?.commit.at ?? createdAt),
      };
    });
}
