import { isRunning } from './declare.ts';
import { keyOf, liveOf, type Live } from './live.ts';
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

const STATUS_OF = {
  pause: 'paused',
  archive: 'archived',
  activate: 'active',
  resume: 'queued',
  unsend: 'unsend',
} as const;
type Verb = keyof typeof STATUS_OF;

function isStop(verb: Verb): boolean {
  return verb === 'pause' || verb === 'archive';
}

/** What can be asked of it as it is now; null for nothing. */
function verbOf({ kind, status }: Live, stop: Deed['stop']): Verb | null {
  const isOn = isRunning(status);
  if (stop === 'unsend') return isOn || status === 'paused' ? 'unsend' : null;
  if (stop === 'start') return status === 'paused' ? (kind === 'campaign' ? 'activate' : 'resume') : null;
  if (stop === 'archive' && kind === 'campaign') return isOn || status === 'paused' ? 'archive' : null;
  return isOn ? 'pause' : null;
}

function outside({ simulator: { control }, past }: Chaos, object: Live, verb: Exclude<Verb, 'unsend'>): void {
  const { accountId, kind, id } = object;
  const status = verb === 'resume' ? 'scheduled' : STATUS_OF[verb];
  if (kind === 'campaign') control.editCampaign(accountId, id, { status });
  else control.editBroadcast(accountId, id, { status });
  if (isStop(verb)) past.stopped.set(keyOf(object), 'outside');
  else past.stopped.delete(keyOf(object));
}
