import { broadcastStatusOf, STATUS_TRAITS } from '../../../src/domain/status.ts';
import type { Ended } from '../run.ts';
import type { Chaos, Process } from '../state.ts';
import { hasRightClock, hasWholeLedger, isUnhindered } from './calm.ts';

/** What lists have shown for so long before the last one of a run, that one has shown as well. */
const SHOWN_FOR_MS = 100;

/**
 * Two broadcasts of one name that both still go out when a command has sent one of them: a pause could stop the rest of each,
 * so the command names both. It can know that only if its last list has shown both, and if nothing kept it from looking.
 */
export function bothGoOutUntold(chaos: Chaos, { process, ran, interrupted }: Ended): string[] {
  const { run, task } = process;
  const { wish } = task;
  if (run.command.kind !== 'send at once' || wish?.kind !== 'create') return [];
  if (ran.code !== 0 || interrupted || !canKnow(chaos, process)) return [];
  const lastListMs = lastList(chaos, process);
  const out = goingOut(chaos, wish.accountId, wish.name ?? '', lastListMs - SHOWN_FOR_MS);
  const own = out.find(({ madeBy }) => madeBy !== null && process.requests.has(madeBy));
  if (own === undefined || out.length < 2) return [];
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

function lastList({ simulator: { world } }: Chaos, { requests }: Process): number {
  const asked = [...requests].flatMap((request) => world.requests[request - 1] ?? []);
  const lists = asked.filter(({ operation }) => operation === 'broadcasts.list');
  return Math.max(0, ...lists.map(({ at }) => Date.parse(at)));
}

interface GoingOut {
  readonly id: string;
  /** The request that made it; null where it was a person. */
  readonly madeBy: number | null;
}

/** Those of the name that go out now, and that lists have shown like that since a time. */
function goingOut(chaos: Chaos, accountId: string, name: string, sinceMs: number): readonly GoingOut[] {
  const { world } = chaos.simulator;
  const commits = world.commits.filter(({ kind }) => kind === 'broadcast');
  return Object.values(world.accounts[accountId]?.broadcasts ?? {})
    .filter(({ live }) => live.name === name && STATUS_TRAITS[broadcastStatusOf(live)].goingOut)
    .filter(({ live, listedFromMs }) => {
      const changes = commits.filter(({ id, change }) => id === live.id && change !== 'create');
      const sinceThen = [
        Date.parse(live.created_at),
        listedFromMs,
        ...changes.map(({ at }) => Date.parse(at)),
      ];
      return sinceThen.every((ms) => ms <= sinceMs);
    })
    .map(({ live }) => {
      const made = commits.find(({ id, change }) => id === live.id && change === 'create');
      return { id: live.id, madeBy: made?.cause.request ?? null };
    });
}
