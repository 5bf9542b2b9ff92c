import { listIdsOf } from '../domain/audience.ts';
import { compareIds } from '../domain/ids.ts';
import { objectKey, type Knowledge, type OpenCreate } from '../domain/knowledge.ts';
import type { Observed } from '../domain/resource.ts';
import { isArchived, isStopped } from '../domain/status.ts';
import { closing, concerns, ended, isSettled, stillOpen, type OpenInput, type Verdict } from './verdict.ts';

/**
 * An object that was not there before the create, with its name and content, is the create's own or that of another
 * person or run. Nothing tells them apart, so the entry is closed only once no copy of the request can be carried out
 * any more.
 */
export function judgeCreate(input: OpenInput, entry: OpenCreate, taken: Set<string>): Verdict {
  const { knowledge } = input;
  const since = input.observed
    .filter((object) => concerns(entry, object) && object.live.name === entry.address.name)
    .filter(({ live }) => !entry.baseline.includes(live.id) && !taken.has(live.id))
    .toSorted((left, right) => compareIds(left.live.id, right.live.id));
  const newcomers = since.filter((object) => !isMadeByAnother(knowledge, object)).map(({ live }) => live.id);
  return { ...judgeMade(input, entry, since, taken), newcomers };
}

/** `since`: what is new under the name of the create. */
function judgeMade(
  input: OpenInput,
  entry: OpenCreate,
  since: readonly Observed[],
  taken: Set<string>,
): Verdict {
  const { knowledge } = input;
  const made = since.filter((object) => {
    const likeness = input.likeness(entry, object);
    return likeness === null ? isByUs(knowledge, object) : likeness === 'equal';
  });
  const [first] = made;
  const found = made.filter((object) => !isKnownAsOurs(knowledge, object));
  const isOnlyCopies = made.every((object) => wasStoppedAsCopy(knowledge, object));
  // A copy was stopped beside what the create made: that one shows another text by now.
  if (first === undefined || (isOnlyCopies && rewordedIn(input, entry, since) !== undefined))
    return judgeReworded(input, entry, since, taken);
  const { id, audience_filters: filters } = first.live;
  taken.add(id);
  if (!isSettled(input, entry)) {
    const until = new Date(entry.sentAtMs + input.settleMs).toISOString();
    return {
      ...stillOpen(entry, `may have made ${id}, and may still make another one until ${until}`),
      found,
    };
  }
  // Who made it is not learned from it: only answers to our own creates tell who we are.
  const conclusion = {
    ...closing('adopted', 'found by a later run'),
    live_id: id,
    list_ids: [...listIdsOf(filters)],
  };
  return ended(entry, conclusion, `made ${id}, which is taken over`, found);
}

/**
 * Nothing is equal to what the create asked for. The service may have rewritten its texts since, or a person: so what
 * is new, ours and differs in texts only is taken for the create's own, and nothing is created beside it in its place.
 */
function judgeReworded(
  input: OpenInput,
  entry: OpenCreate,
  since: readonly Observed[],
  taken: Set<string>,
): Verdict {
  const { creators } = input.knowledge;
  const reworded = rewordedIn(input, entry, since);
  if (reworded !== undefined) taken.add(reworded.live.id);
  if (!isSettled(input, entry)) return stillOpen(entry, null);
  if (reworded !== undefined && creators.size === 0 && !isArchived(reworded.live)) {
    const words = `may have made ${reworded.live.id}, which shows another text than was sent; Herald cannot tell yet which objects are its own`;
    return { ...stillOpen(entry, words), undecided: reworded.live.id };
  }
  if (reworded === undefined) {
    if (since.length === 0)
      return ended(entry, closing('absent', 'not there after the settle window'), 'was never carried out');
    const ids = since.map(({ live }) => live.id).join(', ');
    const conclusion = closing('absent', `not there as it was sent; new under its name: ${ids}`);
    return ended(entry, conclusion, `may have made what is new under its name, with other content: ${ids}`);
  }
  const { id, audience_filters: filters } = reworded.live;
  const conclusion = {
    ...closing('adopted', 'found by a later run, with another text'),
    live_id: id,
    list_ids: [...listIdsOf(filters)],
  };
  const words = `made ${id}, which is taken over; the service or a person has changed its text since`;
  return ended(entry, conclusion, words);
}

/**
 * What is new, may be ours, and differs in its texts only. Where Herald cannot tell its own objects, a pause is a
 * person's answer to the question whose it is. What is archived is taken over: so it is not started again unasked.
 */
function rewordedIn(
  { knowledge, likeness }: OpenInput,
  entry: OpenCreate,
  since: readonly Observed[],
): Observed | undefined {
  const mayBeOurs = ({ live }: Observed) =>
    knowledge.creators.size === 0 && (!isStopped(live) || isArchived(live));
  return since.find(
    (object) =>
      likeness(entry, object) === 'reworded' &&
      (isByUs(knowledge, object) || mayBeOurs(object)) &&
      !isMadeByAnother(knowledge, object) &&
      !wasStoppedAsCopy(knowledge, object),
  );
}

/** Another create is known to have made it. */
function isMadeByAnother({ objects }: Knowledge, { accountId, kind, live }: Observed): boolean {
  return objects.get(objectKey(accountId, kind, live.id))?.createdByHerald === true;
}

/** Herald stopped it beside an equal one of a lower id. */
function wasStoppedAsCopy({ objects }: Knowledge, { accountId, kind, live }: Observed): boolean {
  return objects.get(objectKey(accountId, kind, live.id))?.pausedFor === 'duplicate';
}

function isKnownAsOurs({ objects }: Knowledge, { accountId, kind, live }: Observed): boolean {
  return objects.get(objectKey(accountId, kind, live.id))?.ours === true;
}

/** A stranger's object of the same name explains nothing, and its creator must not be learned as ours. */
function isByUs({ creators }: Knowledge, { live: { created_by: creator } }: Observed): boolean {
  return creator?.type != null && creator.id != null && creators.has(`${creator.type}:${creator.id}`);
}
