import { isStop, outside, STATUS_OF, verbOf } from './deeds.ts';
import { keyOf, liveOf } from './live.ts';
import { oneRun } from './run.ts';
import { SLOTS, type Before } from './scenario.ts';
import { count, type Chaos } from './state.ts';

type Deed = Extract<Before, { readonly slot: number }>;

/** What a person does to the newest object of a slot on the first account: with Herald, or in the service. */
export async function doBeside(chaos: Chaos, deed: Deed): Promise<void> {
  const slot = SLOTS[deed.slot];
  if (slot === undefined) return;
  const object = liveOf(chaos.simulator).findLast(
    ({ accountId, kind, name }) => accountId === '101' && kind === slot.kind && name.startsWith(slot.name),
  );
  const verb = object === undefined ? null : verbOf(object, deed.stop);
  if (object === undefined || verb === null) return;
  chaos.stretches.touch(object.accountId, object.kind, object.name);
  if (deed.stop === 'start') chaos.overlapping.add(slot.name);
  if (deed.kind === 'outside' && verb !== 'unsend') return outside(chaos, object, verb);
  if (verb === 'unsend') chaos.author.recalled(object.name);
  const { report, end } = await oneRun(
    chaos,
    chaos.scene,
    [`${slot.kind}s`, verb, object.id, '--account', 'alice', '--yes'],
    deed.cut,
    {
      declared: [],
      covers: () => true,
      allow: [],
      wish: { key: keyOf(object), status: STATUS_OF[verb] },
    },
  );
  count(chaos, `by hand, ${verb}`, 1, end);
  const isDone = report !== null && report.summary.unknown + report.summary.failed === 0;
  // Another operator's ledger knows nothing of what was done by hand here.
  if (isDone && isStop(verb))
    chaos.past.stopped.set(keyOf(object), chaos.operators.length > 1 ? 'outside' : 'by hand');
}
