import type { Reply } from '../api/catalogue.ts';
import { describeProblem, type Problem } from '../api/errors.ts';
import type { Run } from '../engine/run.ts';
import { sendAct, type Lost } from './act.ts';
import { describeFan, type FanPlace } from './labels.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { EXIT } from '../domain/exit-codes.ts';

export type FanSubscription = Reply<'fans.follow'>;

export type Followed =
  /** `subscription` is null where the answer says nothing of it. `isRepeated`: an answer before this one was lost. */
  | {
      readonly kind: 'following';
      readonly subscription: FanSubscription | null;
      readonly isRepeated: boolean;
      readonly unrecorded: string | null;
    }
  | { readonly kind: 'failed'; readonly problem: Problem };

/**
 * Makes the account follow the fan. Following a fan again changes nothing, so a repeat is harmless once the first request can
 * no longer take effect: two first follows never run in parallel, and at most one is charged (LOST-12).
 *
 * | first \ second             | says that it follows | says nothing | says no     | no answer, refused |
 * |----------------------------|----------------------|--------------|-------------|--------------------|
 * | an answer, whatever it has | not sent             |              |             |                    |
 * | no answer                  | following            | following    | not followed | unknown           |
 */
export async function followFan(
  run: Run,
  place: FanPlace,
  ask: (() => Promise<void>) | null,
): Promise<Followed> {
  const { account, fanId } = place;
  const params = { account_id: account.accountId, fan_id: fanId };
  const end = await sendAct(
    run,
    {
      subject: {
        operation: 'fans.follow',
        account: account.alias,
        account_id: account.accountId,
        kind: 'follow',
        name: fanId,
      },
      isOpen: ({ name }) => name === fanId,
      unconfirmed: { kind: 'repeat', mustWaitFor: () => true, covers: () => true },
      similar: null,
      check: null,
      prepare: () => ({ asked: null, send: run.client.prepare('fans.follow', { params }) }),
      judge: ({ subscribed }) => (subscribed === false ? 'refused' : 'done'),
    },
    { acknowledge: true, ask },
  );
  if (end.kind === 'failed') return end;
  if (end.kind !== 'done') throw describeLost(place, end.kind === 'lost' ? end.lost : null);
  const { reply, isRepeated, unrecorded } = end;
  if (reply.subscribed === false)
    throw new HeraldError(
      'not-following',
      `The service answered that ${describeFan(place)} is not followed (subscribed: false).`,
      'Check the fan on the service.',
      { details: { subscription: reply } },
    );
  const subscription = typeof reply.subscribed === 'boolean' ? reply : null;
  return { kind: 'following', subscription, isRepeated, unrecorded };
}

function describeLost(place: FanPlace, lost: Lost<unknown> | null): HeraldError {
  const why = lost?.problem == null ? 'no answer' : describeProblem(lost.problem);
  return new HeraldError(
    'unknown-outcome',
    `Unconfirmed: ${describeFan(place)} may be followed now, and paid for (${why}).`,
    'Run the command again. The service does not charge for the same fan twice.',
    { exit: EXIT.unknown, details: lost?.problem ?? null },
  );
}
