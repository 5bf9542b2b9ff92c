import type { Reply } from '../api/catalogue.ts';
import type { Client, Send } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { AccountId, FanId } from '../domain/ids.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import type { Run } from '../engine/run.ts';
import { digest } from '../domain/digest.ts';
import { describePlace, isYoungerThan, makeUnknown, readRequest, sendAct } from './act.ts';

export interface FanPlace {
  readonly account: ResolvedAccount;
  readonly fanId: FanId;
}

/** Only the given labels. A missing one keeps its value (CHAT-7). */
export type FanLabels = Readonly<Partial<Record<'custom_name' | 'note', string>>>;

/** The answer about a fan. `isRepeated`: an answer before this one was lost. */
interface FanAnswer<Said> {
  readonly reply: Said;
  readonly isRepeated: boolean;
  readonly unrecorded: string | null;
}

interface FanAct<Said> {
  /** When an earlier run did it. Null: it is to be sent. A file of many fans can be run again by it, and each is done once. */
  readonly findDone: (run: Run) => Promise<string | null>;
  readonly send: (run: Run) => Promise<FanAnswer<Said>>;
}

/** Sets the labels. Setting the same ones twice is harmless. */
export function labelFan(place: FanPlace, labels: FanLabels): FanAct<Reply<'fans.label'>> {
  return makeAct(place, {
    kind: 'label',
    asked: { labels },
    prepare: (client, params) => client.prepare('fans.label', { params, body: labels }),
    says: 'success',
    refusedAs: 'label-denied',
    next: 'Setting the same label twice is harmless. Herald cannot read labels; check on the service.',
  });
}

/**
 * Makes the account follow the fan. Following a fan again changes nothing, and two first follows never run in parallel, so at most
 * one is charged (LOST-12).
 *
 * | first \ second        | says that it follows | says no      | nothing that tells, refused |
 * |-----------------------|----------------------|--------------|-----------------------------|
 * | says yes or no        | not sent             |              |                             |
 * | nothing that tells    | following            | not followed | unknown                     |
 */
export function followFan(place: FanPlace): FanAct<Reply<'fans.follow'>> {
  return makeAct(place, {
    kind: 'follow',
    asked: null,
    prepare: (client, params) => client.prepare('fans.follow', { params }),
    says: 'subscribed',
    refusedAs: 'not-following',
    next: 'The service does not charge for the same fan twice.',
  });
}

/** A person may change a label on the service, where Herald cannot read it. So a request on record counts for a day only. */
const DONE_MS = 86_400_000;

/** When an earlier run did to this fan what is asked for, within a day and with nothing else after it. */
async function findDone(
  run: Run,
  { account, fanId }: FanPlace,
  { kind, asked }: Pick<FanRequest<never>, 'kind' | 'asked'>,
): Promise<string | null> {
  const address = { account_id: account.accountId, kind, name: fanId };
  const [last] = await run.state.history({ address, limit: 1 });
  if (last?.outcome !== 'done' || !isYoungerThan(run, last, DONE_MS)) return null;
  const { sent_at: doneAt, details } = readRequest(last);
  return digest(details) === digest(asked ?? {}) ? doneAt : null;
}

interface FanRequest<Said> {
  readonly kind: 'label' | 'follow';
  readonly asked: unknown;
  readonly prepare: (
    client: Client,
    params: { readonly account_id: AccountId; readonly fan_id: FanId },
  ) => Send<Said>;
  /** The member of the answer that says whether it was done: a 200 may say no, and one without it counts as no answer. */
  readonly says: 'success' | 'subscribed';
  readonly refusedAs: 'label-denied' | 'not-following';
  /** Why the command may be run again. */
  readonly next: string;
}

type Members = Readonly<Record<string, unknown>>;

function makeAct<Said extends Members>(place: FanPlace, request: FanRequest<Said>): FanAct<Said> {
  return {
    findDone: (run) => findDone(run, place, request),
    send: (run) => sendToFan(run, place, request),
  };
}

/**
 * A lost request is repeated once the first one can no longer take effect. An earlier one that may still take effect is waited out
 * first, because it would land on top (LOST-11, FAULT-3).
 */
async function sendToFan<Said extends Members>(
  run: Run,
  place: FanPlace,
  { kind, asked, prepare, says, refusedAs, next }: FanRequest<Said>,
): Promise<FanAnswer<Said>> {
  const send = prepare(run.client, { account_id: place.account.accountId, fan_id: place.fanId });
  const words = { what: `${kind} ${describePlace(place)}`, next: `Run the command again. ${next}` };
  const end = await sendAct<Said, never, never>(run, {
    subject: { operation: `fans.${kind}`, account: place.account, kind, name: place.fanId },
    words,
    look: () => Promise.resolve({ kind: 'over' }),
    mayRepeat: true,
    prepare: () => ({ asked, send }),
    judge: (reply) => (reply[says] === false ? 'refused' : 'done'),
  });
  if (end.kind === 'failed') throw new ServiceError(end.problem);
  if (end.kind !== 'done')
    throw makeUnknown(words, end.kind === 'lost' ? end : { entry: null, problem: null });
  const { reply, isRepeated, unrecorded } = end;
  if (reply[says] !== false) return { reply, isRepeated, unrecorded };
  throw new HeraldError(
    refusedAs,
    `The service answered that it did not ${kind} ${describePlace(place)} (${says}: false).`,
    'Check the id of the fan and the account on the service.',
    { details: { reply } },
  );
}
