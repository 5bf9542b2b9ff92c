import { outside, verbOf } from './deeds.ts';
import { isRunning, type Declared } from './declare.ts';
import { liveOf } from './live.ts';
import { SLOTS, type Meanwhile } from './scenario.ts';
import { count, type Chaos } from './state.ts';

const LIST_OF = {
  campaign: /\/101\/auto-message-campaigns$/,
  broadcast: /\/101\/priority-mass-message-campaigns$/,
};

/** Lets a person act right before a run is shown the first page of a list: at that look, or once there is something. */
export function personAt(
  chaos: Chaos,
  meanwhile: Meanwhile,
  declared: readonly Declared[],
): (url: URL) => void {
  const kind = SLOTS[meanwhile.slot]?.kind ?? 'campaign';
  let looks = 0;
  return ({ pathname, searchParams }) => {
    if (!LIST_OF[kind].test(pathname) || Number(searchParams.get('offset')) > 0) return;
    looks += 1;
    const isTime = looks >= meanwhile.atLook && chaos.meddled.size === 0;
    const what = isTime ? doMeanwhile(chaos, meanwhile, declared) : null;
    if (what === null) return;
    chaos.meddled.add(what);
    chaos.tell(`         somebody: ${meanwhile.deed} of ${what}`);
    count(chaos, `meanwhile, ${meanwhile.deed}`, 1, 'done');
  };
}

/**
 * What a person does in the service itself while a run is under way; the resource that it is about, null for nothing.
 * Whoever switches something on there may take an older version, beside which the run is about to make a new one.
 */
function doMeanwhile(
  { simulator, stretches, overlapping, author, past }: Chaos,
  { slot: place, deed }: Meanwhile,
  declared: readonly Declared[],
): string | null {
  const slot = SLOTS[place];
  if (slot === undefined) return null;
  const group = liveOf(simulator).filter(
    ({ accountId, kind, name }) => accountId === '101' && kind === slot.kind && name.startsWith(slot.name),
  );
  const object = deed === 'start' ? group.find(({ status }) => status === 'paused') : group.at(-1);
  if (object === undefined) return null;
  const { accountId, kind, id, name } = object;
  const verb = deed === 'recall' ? deed : verbOf(object, deed);
  if (verb === 'recall') {
    if (kind !== 'campaign' || (!isRunning(object.status) && object.status !== 'paused')) return null;
    author.recalled(name);
    simulator.control.editCampaign(accountId, id, { status: 'recalled' });
  } else if (verb === null || verb === 'unsend') return null;
  else outside({ simulator, past }, object, verb);
  if (deed === 'start') overlapping.add(slot.name);
  // From here on it may take another object to bring it back.
  stretches.touch(accountId, kind, name);
  stretches.begin(simulator.world.nextRequest, declared);
  return `alice/${kind}/${name}`;
}
