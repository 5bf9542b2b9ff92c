import { isDeclaredAs, wordsOf, type Declared } from '../declare.ts';
import { groupOf, lastChangeBefore, sends, type Live } from '../live.ts';
import { writesOf, type SentWrite } from '../state.ts';
import { hasAskedFor, stoppedBy, type Facts } from './facts.ts';
import { startedGroup } from './hand-stops.ts';
import { isRecordedAsOurs } from './recorded.ts';
import { callsStop } from './stops.ts';
import type { Write } from '../writes.ts';

/** A start that goes against what a person did last under its name. */
export function againstLastStop(facts: Facts): string[] {
  const { sent, live } = facts;
  const { process } = sent;
  const group = startedGroup(sent, live);
  if (process.task.wish !== null || group === null || process.disturbed.has(group)) return [];
  const wanted = process.task.declared.find((one) => groupOf(one) === group);
  if (wanted === undefined || isAgain(facts)) return [];
  const versions = live.filter((one) => isDeclaredAs(wanted, one));
  const problem = ofNewest(facts, wanted, versions) ?? ofRecalledText(facts, wanted, versions);
  return problem === null ? [] : [`a start of ${group}, although ${problem}`];
}

/** What an earlier request has asked for already is asked for again. */
function isAgain(facts: Facts): boolean {
  const { write } = facts.sent;
  if (write.kind !== 'status') return false;
  const object = facts.live.find(({ kind, id }) => kind === write.of && id === write.id);
  return object === undefined || hasAskedFor(facts, object, write.status);
}

/** Nothing of the name runs, so what a person did to the newest campaign of Herald's is their last word on the name. */
function ofNewest(facts: Facts, { kind }: Declared, versions: readonly Live[]): string | null {
  const { sent, listedMs } = facts;
  if (kind !== 'campaign' || versions.some((one) => sends(one) || isPausedBy(sent, one))) return null;
  const newest = versions.findLast((one) => isRecordedAsOurs(facts, one.id) && !isStoppedCopy(facts, one));
  // What lists still show as running may have been started again, as far as a run can tell.
  if (newest === undefined || newest.shownSinceMs >= listedMs) return null;
  if (newest.status === 'recalled') return `${newest.id}, the newest of its name, was recalled`;
  if (sent.process.task.allow.includes('resume')) return null;
  if (wasStoppedByApply(facts, newest) || wasStoppedUnseen(facts, newest)) return null;
  const stop = stoppedBy(facts, newest);
  return stop === null ? null : `a person stopped ${newest.id}, the newest of its name, ${stop}`;
}

/**
 * An apply had stopped it for what the files say, or was killed while it did, and nothing shows that a person has done more
 * than to archive what was paused.
 */
function wasStoppedByApply({ chaos, sent }: Facts, { lastChange, ...object }: Live): boolean {
  const atMs = lastChange?.atMs ?? 0;
  const isOfIt = (write: Write) => write.kind === 'status' && write.id === object.id;
  const applies = chaos.processes.filter(
    ({ actor, run, startedMs }) =>
      actor === sent.process.actor && run.command.kind === 'apply' && startedMs <= atMs,
  );
  // What a killed process was about to send is on record, and so is what one has stopped that a person then started again.
  const isOnRecord = applies.some(
    ({ dead, tried, endedMs }) =>
      (dead || (endedMs ?? atMs) >= atMs) && tried.some((one) => isOfIt(one) && isPause(one)),
  );
  if (isOnRecord) return true;
  const last = writesOf(chaos, sent.process.actor).findLast(
    ({ write, sentMs }) => isOfIt(write) && sentMs <= atMs,
  );
  if (last?.write.kind !== 'status' || last.process.run.command.kind !== 'apply') return false;
  const before = lastChangeBefore(chaos.simulator, { ...object, lastChange }, atMs - 1);
  const hasRunSince = before !== null && RUNS.includes(before.status ?? '') && before.atMs >= last.sentMs;
  return (isPause(last.write) || last.write.status === 'archived') && !hasRunSince;
}

/**
 * An apply paused it once more while lists did not show the stop yet. By all that it saw, someone had started it again.
 */
function wasStoppedUnseen({ chaos, sent }: Facts, { id, lastChange, shownSinceMs }: Live): boolean {
  return writesOf(chaos, sent.process.actor).some(
    ({ write, process, sentMs }) =>
      write.kind === 'status' &&
      write.id === id &&
      isPause(write) &&
      process.run.command.kind === 'apply' &&
      sentMs > (lastChange?.atMs ?? 0) &&
      sentMs <= shownSinceMs,
  );
}

function isPause(write: Write): boolean {
  return write.kind === 'status' && write.status === 'paused';
}

/** Whatever else of the name runs, a recalled text is not sent again. */
function ofRecalledText(facts: Facts, { content }: Declared, versions: readonly Live[]): string | null {
  // Which file it shows is known to the ledger that has uploaded it.
  if (content.sha256 !== null || facts.sent.process.actor.ledgerLostMs !== null) return null;
  const latest = versions.findLast(
    (one) => wordsOf(one.content) === wordsOf(content) && !isStoppedCopy(facts, one),
  );
  const { write } = facts.sent;
  // A recall that is undone for this very object needs a person, which is another rule.
  if (latest === undefined || (write.kind === 'status' && write.id === latest.id)) return null;
  return isRecalled(facts, latest) ? `${latest.id} says the same and was recalled` : null;
}

/** No list shows for certain that a broadcast was recalled: only the ledger that has sent the recall tells of it. */
function isRecalled({ chaos, sent, listedMs }: Facts, object: Live): boolean {
  const { kind, id, status, shownSinceMs } = object;
  if (kind === 'campaign') return status === 'recalled' && shownSinceMs < listedMs;
  if (sends(object)) return false;
  const last = writesOf(chaos, sent.process.actor).findLast(
    ({ write, answer }) =>
      answer === 'done' && write.kind === 'status' && write.id === id && LAST_WORDS.includes(write.status),
  );
  return last?.write.kind === 'status' && last.write.status === 'unsend';
}

const LAST_WORDS: readonly string[] = ['unsend', 'queued'];

/** Its own replace has stopped it, in the same run, or has asked for it just after another run. */
function isPausedBy({ process }: SentWrite, { id, lastChange }: Live): boolean {
  if (lastChange?.request != null && process.requests.has(lastChange.request)) return true;
  return process.tried.some((one) => one.kind === 'status' && one.id === id && isPause(one));
}

/** An apply stopped it next to an older one with the same words that ran: it was a copy of that one. */
function isStoppedCopy({ chaos, live }: Facts, one: Live): boolean {
  const { lastChange } = one;
  if (lastChange === null || sends(one) || lastChange.by !== 'api') return false;
  if (callsStop(chaos, lastChange) !== null) return false;
  return live.some(
    (older) =>
      groupOf(older) === groupOf(one) &&
      BigInt(older.id) < BigInt(one.id) &&
      wordsOf(older.content) === wordsOf(one.content) &&
      older.createdMs < lastChange.atMs &&
      RUNS.includes(lastChangeBefore(chaos.simulator, older, lastChange.atMs)?.status ?? 'active'),
  );
}

const RUNS: readonly string[] = ['active', 'scheduled'];
