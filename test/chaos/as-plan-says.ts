import type { Change } from '../../src/domain/change.ts';
import { isDeclaredAs, isRunning, sameContent } from './declare.ts';
import { isRecalled, liveOf } from './live.ts';
import { look } from './run.ts';
import type { Actor, Chaos } from './state.ts';

/** At the end of a scenario, a person does what the plan says of a change that is blocked. */
export async function doAsPlanSays(chaos: Chaos, actor: Actor, change: Change): Promise<void> {
  await closeLostRecall(chaos, actor, change);
  stopTheSameText(chaos, actor, change);
  stopOneOfTwo(chaos, actor, change);
}

const DAY_MS = 86_400_000;

/** No list shows what became of a lost recall of a broadcast. A person looks, and says that it was not taken back. */
async function closeLostRecall(
  chaos: Chaos,
  actor: Actor,
  { action, reasons, live_id: id }: Change,
): Promise<void> {
  const [, entry] = /herald ledger close (\S+) --because/.exec(reasons.join(' ')) ?? [];
  if (action !== 'blocked' || entry === undefined) return;
  const object = liveOf(chaos.simulator).find((one) => one.id === id);
  if (object === undefined || isRecalled(object)) return;
  const close = ['ledger', 'close', entry, '--because', 'it still waits in the service', '--yes'];
  const { stdout } = await look(chaos, actor, close);
  // Where the clocks of the service did not agree, the command asks for a day of patience.
  if (stdout.includes('can be closed one day after')) chaos.clock.move(DAY_MS);
}

/**
 * A person stops what is in the way of the same text: the object of a removed block, or one of two resources that exchange
 * their texts.
 */
function stopTheSameText({ simulator }: Chaos, { declared }: Actor, { action, reasons }: Change): void {
  const [, how, id] = /(stop it|pause it first): herald \w+ pause (\d+)/i.exec(reasons.join(' ')) ?? [];
  const object = liveOf(simulator).find((one) => one.id === id && isRunning(one.status));
  if (action !== 'blocked' || object === undefined) return;
  if (how?.startsWith('P') !== true && declared.some((one) => isDeclaredAs(one, object))) return;
  if (object.kind === 'campaign')
    simulator.control.editCampaign(object.accountId, object.id, { status: 'paused' });
  else simulator.control.editBroadcast(object.accountId, object.id, { status: 'paused' });
}

/** Two of one name would both go out, and the file has the text of neither: a person stops one, as the plan says. */
function stopOneOfTwo({ simulator }: Chaos, { declared }: Actor, { action, reasons }: Change): void {
  const [, ...ids] =
    /Pause one of them: herald broadcasts pause (\d+) .*herald broadcasts pause (\d+)/.exec(
      reasons.join(' '),
    ) ?? [];
  const object = liveOf(simulator).find(
    (one) =>
      ids.includes(one.id) &&
      isRunning(one.status) &&
      !declared.some((each) => isDeclaredAs(each, one) && sameContent(each.content, one.content)),
  );
  if (action === 'blocked' && object !== undefined)
    simulator.control.editBroadcast(object.accountId, object.id, { status: 'paused' });
}
