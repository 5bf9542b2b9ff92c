import type { Ended } from '../run.ts';
import type { Command } from '../shape.ts';
import type { Chaos, Process, SentWrite } from '../state.ts';

const DONE = 0;
const FAILED = 1;
const UNKNOWN = 3;
const BLOCKED = 5;

/** A process that is frozen may give up before it hears the answer, and a full disk ends it early. */
const KEPT_FROM_HEARING: readonly (string | undefined)[] = ['full_disk', 'freeze', 'freeze_answer'];

/** Commands that end with the answer to their one request: raw calls, and a label. */
const ENDS_WITH_ITS_ANSWER: readonly Command['kind'][] = [
  'api create',
  'api change',
  'api payout',
  'api chat',
  'label',
];

/**
 * What such a command said, against the answers to its requests:
 *
 * | exit | is false if                                    |
 * |------|------------------------------------------------|
 * | 0    | none of its requests was answered with success |
 * | 1, 5 | one was, or a create was carried out           |
 * | 3    | each was answered                              |
 */
export function saidOfRaw(chaos: Chaos, { process, ran: { code }, interrupted }: Ended): string[] {
  const { run, task, writes, lockLostMs } = process;
  if (!ENDS_WITH_ITS_ANSWER.includes(run.command.kind)) return [];
  if (writes.length === 0 || interrupted || lockLostMs !== null || KEPT_FROM_HEARING.includes(run.cut?.how))
    return [];
  const problem = problemOf(chaos, process, code);
  return problem === null
    ? []
    : [`${run.command.kind === 'label' ? '' : 'raw '}${task.wish?.kind ?? 'call'}, exit ${code}: ${problem}`];
}

function problemOf(chaos: Chaos, { writes, requests }: Process, code: number): string | null {
  const isAnswered = writes.some(({ answer }) => answer === 'done');
  switch (code) {
    case DONE:
      return isAnswered ? null : 'none of its requests was answered with success';
    case FAILED:
    case BLOCKED:
      if (isAnswered) return 'it was answered with success';
      return hasMade(chaos, requests) ? 'something was created' : null;
    case UNKNOWN:
      return writes.every(isClear) ? 'each of its requests was answered' : null;
    default:
      return null;
  }
}

function hasMade({ simulator: { world } }: Chaos, requests: ReadonlySet<number>): boolean {
  return world.commits.some(
    ({ change, cause: { request } }) => change === 'create' && request !== null && requests.has(request),
  );
}

/** Whether it was answered with success or with a refusal. */
function isClear({ answer }: SentWrite): boolean {
  return answer === 'done' || answer === 'refused';
}
