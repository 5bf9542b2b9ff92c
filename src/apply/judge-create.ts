import { listIdsOf } from '../domain/audience.ts';
import { formatCommand } from '../domain/command-line.ts';
import { compareIds } from '../domain/ids.ts';
import { objectKey, type Knowledge, type OpenCreate } from '../domain/knowledge.ts';
import type { Observed } from '../domain/resource.ts';
import { isArchived, isStopped } from '../domain/status.ts';
import {
  closing,
  concerns,
  ended,
  isPastWindow,
  stillOpen,
  type OpenInput,
  type Verdict,
} from './verdict.ts';

/**
 * A new object with the create's name and content may be its result, or that of another person or run. Nothing tells
 * them apart, so the entry is closed only once no copy of the request can succeed any more.
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

/** `since`: the new objects with the name of the create. */
function judgeMade(
  input: OpenInput,
  entry: OpenCreate,
  since: readonly Observed[],
  taken: Set<string>,
): Verdict {
  const { knowledge } = input;
  const made = since.filter((object) => {
    if (isMadeByAnother(knowledge, object)) return false;
    const contentMatch = input.contentMatch(entry, object);
    return contentMatch === null ? isByUs(knowledge, object) : contentMatch === 'equal';
  });
  const [first] = made;
  const found = made.filter((object) => !isKnownAsOurs(knowledge, object));
  const isOnlyCopies = made.every((object) => wasStoppedAsCopy(knowledge, object));
  // The stopped copies are duplicates of what the create made, which has another text by now.
  if (first === undefined || (isOnlyCopies && rewordedIn(input, entry, since) !== undefined))
    return judgeReworded(input, entry, since, taken);
  const { id, audience_filters: filters } = first.live;
  taken.add(id);
  if (!isPastWindow(input, entry)) {
    const until = new Date(entry.sentAtMs + input.settleMs).toISOString();
    return {
      ...stillOpen(entry, `may have created ${id}, and may still create another one until ${until}`),
      found,
    };
  }
  // Who made it is not learned from it: only answers to our own creates tell who we are.
  const conclusion = {
    ...closing('adopted', 'found by a later run'),
    live_id: id,
    list_ids: [...listIdsOf(filters)],
  };
  const verb = isByUs(knowledge, first) ? 'created' : 'may have created';
  return ended(entry, conclusion, `${verb} ${id}, which Herald adopts`, found);
}

/**
 * For a create with no equal object. The service or a person may have changed its texts since. So a new object of ours
 * that differs only in texts counts as the result of the create, and no second one is created.
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
  if (!isPastWindow(input, entry)) return stillOpen(entry, null);
  if (reworded !== undefined && creators.size === 0 && !isArchived(reworded.live)) {
    const words = `may have created ${reworded.live.id}, which has another text than was sent; Herald cannot tell yet which objects are its own`;
    return { ...stillOpen(entry, words), undecided: reworded.live.id };
  }
  if (reworded === undefined) {
    if (since.length === 0)
      return ended(entry, closing('absent', 'not there after the settle window'), 'did not succeed');
    const unclear = unclearIn(input, entry, since);
    if (unclear !== undefined) return undecidedOn(entry, unclear);
    const ids = since.map(({ live }) => live.id).join(', ');
    const conclusion = closing('absent', `not there as it was sent; new with its name: ${ids}`);
    return ended(entry, conclusion, `may have created a new object with its name and other content: ${ids}`);
  }
  const { id, audience_filters: filters } = reworded.live;
  const conclusion = {
    ...closing('adopted', 'found by a later run, with another text'),
    live_id: id,
    list_ids: [...listIdsOf(filters)],
  };
  const words = `created ${id}, which Herald adopts; the service or a person has changed its text since`;
  return ended(entry, conclusion, words);
}

/**
 * A new object that may be ours and differs only in its texts. If Herald cannot tell its own objects, a pause by a person
 * answers who owns it. An archived one is adopted, so that Herald does not start it again.
 */
function rewordedIn(
  { knowledge, contentMatch }: OpenInput,
  entry: OpenCreate,
  since: readonly Observed[],
): Observed | undefined {
  const mayBeOurs = ({ live }: Observed) =>
    knowledge.creators.size === 0 && (!isStopped(live) || isArchived(live));
  return since.find(
    (object) =>
      contentMatch(entry, object) === 'reworded' &&
      (isByUs(knowledge, object) || mayBeOurs(object)) &&
      !isMadeByAnother(knowledge, object) &&
      !wasStoppedAsCopy(knowledge, object),
  );
}

/** A new object that cannot be compared with the create: it may be the result. */
function unclearIn(
  { knowledge, contentMatch }: OpenInput,
  entry: OpenCreate,
  since: readonly Observed[],
): Observed | undefined {
  return since.find(
    (object) =>
      contentMatch(entry, object) === null &&
      !isMadeByAnother(knowledge, object) &&
      !wasStoppedAsCopy(knowledge, object),
  );
}

/** Only a person can tell. Without the sent content, no later run can either. */
function undecidedOn(entry: OpenCreate, { live: { id } }: Observed): Verdict {
  const words =
    entry.wanted === null
      ? `may have created ${id}, and the ledger does not have the content that was sent; check ${id} on the service, then run ${formatCommand('ledger', 'close', entry.entry, '--because', '…')}`
      : `may have created ${id}, and the content of ${id} cannot be read; check it on the service, and run ${formatCommand('apply')} again once it shows`;
  return { ...stillOpen(entry, words), undecided: id };
}

/** Another create is known to have made it. */
function isMadeByAnother({ objects }: Knowledge, { accountId, kind, live }: Observed): boolean {
  return objects.get(objectKey(accountId, kind, live.id))?.createdByHerald === true;
}

/** Herald stopped it as a duplicate of one with a lower id, or began to. */
function wasStoppedAsCopy({ objects, open }: Knowledge, { accountId, kind, live }: Observed): boolean {
  if (objects.get(objectKey(accountId, kind, live.id))?.pausedFor === 'duplicate') return true;
  return open.some(
    (entry) =>
      entry.call === 'status' &&
      entry.purpose === 'duplicate' &&
      entry.liveId === live.id &&
      entry.accountId === accountId &&
      entry.address.kind === kind,
  );
}

function isKnownAsOurs({ objects }: Knowledge, { accountId, kind, live }: Observed): boolean {
  return objects.get(objectKey(accountId, kind, live.id))?.ours === true;
}

/** A stranger's object of the same name explains nothing, and its creator must not be learned as ours. */
function isByUs({ creators }: Knowledge, { live: { created_by: creator } }: Observed): boolean {
  return creator?.type != null && creator.id != null && creators.has(`${creator.type}:${creator.id}`);
}
