import { compareIds } from '../../domain/ids.ts';
import { passedEnd } from '../../domain/passed-end.ts';
import type { ObservedCampaign } from '../../domain/resource.ts';
import { classifyCampaign } from '../campaign/column.ts';
import { go, idsOf, recordStop, type Answer, type ByHandCase, type Wish } from './answer.ts';

type Case = ByHandCase<ObservedCampaign>;
type Cell = (the: Case) => Answer;
type CampaignState = ReturnType<typeof classifyCampaign>;
type Action = Extract<Wish, { kind: 'campaign' }>['action'];

/**
 * What a campaign's status makes of each wish (CAMPAIGN-6 to CAMPAIGN-14):
 *
 * | asked    | active  | paused  | archived | recalled | unnamed status |
 * |----------|---------|---------|----------|----------|----------------|
 * | activate | is so   | go      | go       | cannot   | cannot         |
 * | pause    | go      | is so * | go       | cannot   | cannot         |
 * | archive  | go      | go      | is so *  | cannot   | cannot         |
 * | recall   | go      | go      | cannot   | is so    | cannot         |
 *
 * \* If an apply stopped it, the stop is sent once more, so that it is on record as a person's (`recordStop`).
 *
 * Nothing is activated while another one of its name is active. With `--again`, Herald asks again for the present status:
 * the service then carries the change out again, which completes a half-done one (CAMPAIGN-7).
 */
const TABLE = {
  activate: {
    active: unlessAgain(activate),
    paused: activate,
    archived: activate,
    recall: blockRecalled,
    foreign: blockForeign,
  },
  pause: {
    active: pause,
    paused: unlessByApply(unlessAgain(pause)),
    archived: unarchive,
    recall: blockRecalled,
    foreign: blockForeign,
  },
  archive: {
    active: archive,
    paused: archive,
    archived: unlessByApply(unlessAgain(archive)),
    recall: blockRecalled,
    foreign: blockForeign,
  },
  recall: { active: recall, paused: recall, archived: pauseFirst, recall: isSo, foreign: blockForeign },
} as const satisfies Record<Action, Record<CampaignState, Cell>>;

/** By what is asked for. */
export const CAMPAIGN_ANSWERS: Readonly<Record<Action, Cell>> = {
  activate: (the) => TABLE.activate[state(the)](the),
  pause: (the) => TABLE.pause[state(the)](the),
  archive: (the) => TABLE.archive[state(the)](the),
  recall: (the) => TABLE.recall[state(the)](the),
};

function state({ target }: Case): CampaignState {
  return classifyCampaign({ observed: target });
}

function isSo({ target }: Case): Answer {
  return { kind: 'so', reason: `It is ${target.live.status ?? 'without a status'} already.` };
}

/** A change of someone else that is half done shows only in the queue. */
const AGAIN_HINT = 'If that change broke off half-way, send it once more: add --again.';

function unlessAgain(change: Cell): Cell {
  return (the) => {
    const so = isSo(the);
    if (so.kind !== 'so') return so;
    if (!the.again) return { ...so, reason: `${so.reason} ${AGAIN_HINT}` };
    const answer = change(the);
    if (answer.kind !== 'go') return answer;
    const reason = `${so.reason} The service carries the change out again, which completes one that was broken off.`;
    return { ...answer, reasons: [reason, ...answer.reasons] };
  };
}

function unlessByApply(otherwise: Cell): Cell {
  return (the) => {
    if (!the.isStoppedByApply) return otherwise(the);
    return recordStop(the, state(the) === 'paused' ? untilArchived(the) : '');
  };
}

function activate(the: Case): Answer {
  const running = the.others.filter((other) => classifyCampaign({ observed: other }) === 'active');
  const [first] = running;
  if (first !== undefined)
    return {
      kind: 'held',
      reason: `${idsOf(running)} with the same name is active: a fan would get both messages.`,
      hint: `Pause it first: ${the.command('pause', first.live.id)}`,
    };
  const archived = state(the) === 'archived';
  return go({
    reasons: [
      'It reacts to its trigger immediately.',
      archived
        ? 'It is archived. The service may refuse this, because archiving should stop a campaign permanently.'
        : 'Messages that are still queued may go out, too.',
      ...endWords(the),
      ...newerRecall(the),
    ],
    undo: `Pausing stops it: ${the.command('pause')}; what it delivered can be recalled for 24 hours.`,
    mind: 'It reacts to its trigger immediately.',
  });
}

function endWords({ target, nowMs }: Case): readonly string[] {
  const endAt = passedEnd(target.live.rules, nowMs);
  return endAt === null ? [] : [`Its end ${endAt} has passed, so it may send nothing.`];
}

function newerRecall({ target, others }: Case): readonly string[] {
  const recalled = others.filter(
    (other) =>
      classifyCampaign({ observed: other }) === 'recall' && compareIds(other.live.id, target.live.id) > 0,
  );
  if (recalled.length === 0) return [];
  return [`Check this first: ${idsOf(recalled)}, a newer campaign with this name, was recalled.`];
}

function pause(the: Case): Answer {
  return go({
    reasons: ['It stops reacting to its trigger immediately, and keeps its queue.'],
    undo: untilArchived(the),
  });
}

function untilArchived(the: Case): string {
  return `For 7 days, until the service archives it: ${the.command('activate')}`;
}

/** The way to a recall (CAMPAIGN-12): archived ones cannot be recalled, paused ones can. */
function unarchive(the: Case): Answer {
  return go({
    reasons: ['It is archived and sends nothing. A pause only makes it possible to recall it.'],
    undo: `Archive it again: ${the.command('archive')}`,
  });
}

function archive(the: Case): Answer {
  return go({
    reasons: [
      'It stops permanently, and its queue is cleared.',
      `An archived campaign cannot be recalled. To recall what it delivered, do this before: ${the.command('recall')}`,
    ],
    reversible: false,
    undo: 'Its queue is lost.',
    mind: 'It stops permanently, and its queue is cleared.',
  });
}

function recall(): Answer {
  return go({
    reasons: [
      'It stops, its queue is cleared, and its messages of the last 24 hours are recalled.',
      'Older messages stay with the fans.',
    ],
    reversible: false,
    undo: 'Messages of the last 24 hours are recalled permanently, and it never sends again.',
    mind: 'Only messages of the last 24 hours are recalled. It cannot be undone.',
  });
}

function pauseFirst(the: Case): Answer {
  return {
    kind: 'cannot',
    reason: 'It is archived, and only an active or paused campaign can be recalled.',
    hint: `Pause it first, which starts nothing. Then recall it: ${the.command('pause')} && ${the.command('recall')}. Only messages of the last 24 hours are recalled.`,
  };
}

function blockRecalled({ target }: Case): Answer {
  return {
    kind: 'cannot',
    reason: `It was recalled (its status is ${target.live.status ?? 'null'}): it sends nothing, and cannot be activated again.`,
    hint: 'To send it again, give it a new name.',
  };
}

function blockForeign({ target }: Case): Answer {
  return {
    kind: 'cannot',
    reason: `Its status ${JSON.stringify(target.live.status ?? null)} is unknown to this version of Herald, so nothing was changed.`,
    hint: 'Check it on the service.',
  };
}
