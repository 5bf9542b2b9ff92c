import { liveOf } from '../live.ts';
import { atWork, type Chaos, type SentWrite } from '../state.ts';
import { violationsOf } from '../violation.ts';
import { repeats } from './again.ts';
import { beyondPlan } from './beyond-plan.ts';
import { forbidden } from './forbidden.ts';
import { moneyTwice } from './money.ts';
import { factsAt } from './facts.ts';
import { againstHandStop } from './hand-stops.ts';
import { prunesTooMuch } from './large-prune.ts';
import { startsLate } from './late-starts.ts';
import { againstLastStop } from './last-stop.ts';
import { clearsAnotherQueue } from './older-queue.ts';
import { tooEarlyAfterOpposite } from './opposite.ts';
import { losesTheSend } from './lost-send.ts';
import { besideOtherNames } from './renamed.ts';
import { besideOpenChange } from './pulled-starts.ts';
import { unrecorded, withoutLock } from './recorded.ts';
import { sentAtOnceAgain } from './sent-at-once.ts';
import { similarAgain } from './similar.ts';
import { staleWrites } from './stale.ts';

/** Judges a write at the moment at which it reaches the service. */
export function judgeWrite(chaos: Chaos, sent: SentWrite): void {
  const facts = factsAt(chaos, sent, liveOf(chaos.simulator));
  const found = [
    ...violationsOf('forbidden write', [
      ...forbidden(facts),
      ...unrecorded(facts),
      ...withoutLock(facts),
      ...againstHandStop(facts),
      ...againstLastStop(facts),
      ...beyondPlan(facts),
      ...clearsAnotherQueue(facts),
      ...prunesTooMuch(facts),
      ...staleWrites(facts),
      ...tooEarlyAfterOpposite(facts),
    ]),
    ...violationsOf('loss', losesTheSend(facts)),
    ...violationsOf('duplicate', [
      ...repeats(facts),
      ...besideOtherNames(facts),
      ...moneyTwice(facts),
      ...similarAgain(facts),
      ...startsLate(facts),
      ...sentAtOnceAgain(facts),
      ...besideOpenChange(facts),
    ]),
  ];
  for (const { words } of found) chaos.tell(`    VIOLATION: ${words}`);
  chaos.violations.push(...found);
  touchForOthers(chaos, sent);
}

/** What one person changes, the others may have to make again; and what is changed by hand, an apply of the same person. */
function touchForOthers(chaos: Chaos, { process, write }: SentWrite): void {
  if (write.kind !== 'create' && write.kind !== 'status') return;
  const name =
    write.kind === 'create'
      ? write.name
      : liveOf(chaos.simulator).find(({ kind, id }) => kind === write.of && id === write.id)?.name;
  if (name === undefined) return;
  const isByHand = process.run.command.kind !== 'apply';
  // A stop by hand next to a run of the same workspace is met by that run.
  if (isByHand)
    for (const { disturbed } of atWork(chaos)) disturbed.add(`${write.accountId}/${write.of}/${name}`);
  for (const other of chaos.actors) {
    if (other === process.actor && !isByHand) continue;
    other.runningPeriods.touch(write.accountId, write.of, name);
    other.runningPeriods.begin(chaos.simulator.world.nextRequest, other.declared);
  }
}
