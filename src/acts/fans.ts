import type { Reply } from '../api/catalogue.ts';
import type { FanId } from '../domain/ids.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import { visible } from '../domain/visible.ts';
import type { Run } from '../engine/run.ts';
import type { RequestRow } from '../state/shapes.ts';
import { requireDone, sendAct } from './act.ts';
import { parseAsked } from './record.ts';
import { HeraldError } from '../domain/herald-error.ts';

/** One fan of one account. */
export interface FanPlace {
  readonly account: ResolvedAccount;
  readonly fanId: FanId;
}

/** `fan 101001 of alice (account 101)` */
export function describeFan({ account: { alias, accountId }, fanId }: FanPlace): string {
  const account = alias === accountId ? `account ${accountId}` : `${alias} (account ${accountId})`;
  return visible(`fan ${fanId} of ${account}`);
}

/** Only the given labels. A missing one keeps its value (CHAT-7). */
export type FanLabels = Readonly<Partial<Record<'custom_name' | 'note', string>>>;

/** `isConfirmed` is false where the body of the answer does not say it; its status does. */
export interface Labelled {
  readonly isConfirmed: boolean;
  readonly unrecorded: string | null;
}

/**
 * Sets the labels. Setting the same ones twice is harmless, so a lost request is repeated. An earlier one with another value
 * that may still take effect is waited out first, because it would land on top (LOST-11, FAULT-3).
 */
export async function labelFan(
  run: Run,
  place: FanPlace,
  labels: FanLabels,
  ask: (() => Promise<void>) | null,
): Promise<Labelled> {
  const { account, fanId } = place;
  const params = { account_id: account.accountId, fan_id: fanId };
  const words = {
    what: `label ${describeFan(place)}`,
    next: () =>
      'Run the command again; setting the same label twice is harmless. Herald cannot read labels; check on the service.',
  };
  const end = await sendAct<Reply<'fans.label'>, never, never>(
    run,
    {
      subject: { operation: 'fans.label', account, kind: 'label', name: fanId },
      words,
      resolve: {
        kind: 'repeat',
        mustWaitFor: (request) => contradicts(request, labels),
        covers: (request) =>
          Object.keys(parseLabels(request) ?? {}).every((name) => Object.hasOwn(labels, name)),
      },
      prepare: () => ({
        asked: { labels },
        send: run.client.prepare('fans.label', { params, body: labels }),
      }),
      judge: ({ success }) => (success === false ? 'refused' : 'done'),
    },
    { acknowledge: true, ask },
  );
  const { reply, unrecorded } = requireDone(end, words);
  if (reply.success === false)
    throw new HeraldError(
      'label-denied',
      `The service answered that the label of ${describeFan(place)} was not set (success: false).`,
      'Check the id of the fan and the account.',
    );
  return { isConfirmed: reply.success === true, unrecorded };
}

/** Null where the record cannot be read. */
function parseLabels(request: RequestRow): Readonly<Record<string, unknown>> | null {
  const { labels } = parseAsked(request);
  return typeof labels === 'object' && labels !== null ? { ...labels } : null;
}

/** Whether a request on record sets one of these labels to another value. What cannot be read of it may. */
function contradicts(request: RequestRow, labels: FanLabels): boolean {
  const earlier = parseLabels(request);
  return (
    earlier === null ||
    (['custom_name', 'note'] as const).some(
      (name) => Object.hasOwn(earlier, name) && labels[name] !== undefined && labels[name] !== earlier[name],
    )
  );
}

export type FanSubscription = Reply<'fans.follow'>;

/** `subscription` is null where the answer says nothing of it. `isRepeated`: an answer before this one was lost. */
export interface Followed {
  readonly subscription: FanSubscription | null;
  readonly isRepeated: boolean;
  readonly unrecorded: string | null;
}

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
  const words = {
    what: `follow ${describeFan(place)}`,
    next: () => 'Run the command again. The service does not charge for the same fan twice.',
  };
  const end = await sendAct<FanSubscription, never, never>(
    run,
    {
      subject: { operation: 'fans.follow', account, kind: 'follow', name: fanId },
      words,
      resolve: { kind: 'repeat', mustWaitFor: () => true, covers: () => true },
      prepare: () => ({ asked: null, send: run.client.prepare('fans.follow', { params }) }),
      judge: ({ subscribed }) => (subscribed === false ? 'refused' : 'done'),
    },
    { acknowledge: true, ask },
  );
  const { reply, isRepeated, unrecorded } = requireDone(end, words);
  if (reply.subscribed === false)
    throw new HeraldError(
      'not-following',
      `The service answered that ${describeFan(place)} is not followed (subscribed: false).`,
      'Check the fan on the service.',
      { details: { subscription: reply } },
    );
  return { subscription: typeof reply.subscribed === 'boolean' ? reply : null, isRepeated, unrecorded };
}
