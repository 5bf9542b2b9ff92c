import { printedPlanShape } from '../../../src/domain/change.ts';
import { accountOf } from '../declare.ts';
import { keyOf, liveOf, type Live } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Actor, Chaos } from '../state.ts';
import { hasRightClock, hasWholeLedger } from './calm.ts';

/** A change that is blocked, as an apply or a plan prints it. */
interface Blocked {
  readonly address: { readonly account: string; readonly kind: string; readonly name: string };
  readonly needs: readonly string[];
}

/**
 * A change that needs `--allow resume`, which stands for the stop of a person, although only applies of this operator have
 * ever changed what has its name.
 */
export function saidOfBlocks(chaos: Chaos, ended: Ended): string[] {
  const { actor, disturbed } = ended.process;
  if (!hasWholeLedger(chaos, actor) || !hasRightClock(chaos, actor)) return [];
  return blockedIn(ended).flatMap(({ address: { account, kind, name }, needs }) => {
    const group = `${accountOf(account)}/${kind}/${name}`;
    if (!needs.includes('resume') || disturbed.has(group) || chaos.people.touchedMs.has(group)) return [];
    const wanted = actor.declared.find(
      (one) => one.alias === account && one.kind === kind && one.name === name,
    );
    const names = [name, ...(wanted?.formerNames ?? [])];
    const objects = liveOf(chaos.simulator).filter(
      (one) => one.accountId === accountOf(account) && one.kind === kind && names.includes(one.name),
    );
    if (!objects.every((object) => isOnlyByApplies(chaos, actor, object))) return [];
    const ids = objects.map(({ id, status }) => `${id} (${status ?? 'null'})`).join(', ');
    return [`${account}/${kind}/${name} needs --allow resume, and no person has ever stopped it: ${ids}`];
  });
}

function blockedIn({ ran, report }: Ended): readonly Blocked[] {
  if (report !== null)
    return report.outcomes
      .filter(({ action }) => action === 'blocked')
      .map(({ address, needs = [] }) => ({ address, needs }));
  if (!ran.stdout.startsWith('{')) return [];
  const plan = printedPlanShape.safeParse(JSON.parse(ran.stdout));
  return plan.success ? plan.data.changes.filter(({ action }) => action === 'blocked') : [];
}

/** Whether all that ever happened to it is what applies of this operator asked for, and heard of. */
function isOnlyByApplies({ processes, simulator: { world } }: Chaos, actor: Actor, object: Live): boolean {
  const key = keyOf(object);
  const isByHand = processes.some(({ task: { wish } }) => wish?.kind === 'status' && wish.key === key);
  if (isByHand) return false;
  const applies = processes.filter((one) => one.actor === actor && one.run.command.kind === 'apply');
  const writes = applies.flatMap((apply) => apply.writes);
  return world.commits
    .filter(({ kind, id }) => kind === object.kind && id === object.id)
    .every(({ change, cause: { by, request } }) => {
      if (by !== 'api' || change === 'unsend') return false;
      return writes.some((sent) => sent.request === request && sent.answer === 'done');
    });
}
