import { describeProblem, type Problem } from '../api/errors.ts';
import type { FanId } from '../domain/ids.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import { visible } from '../domain/visible.ts';
import type { Run } from '../engine/run.ts';
import type { RequestRow } from '../state/shapes.ts';
import { sendAct, type Lost } from './act.ts';
import { parseAsked } from './record.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { EXIT } from '../domain/exit-codes.ts';

/** One fan of one account. */
export interface FanPlace {
  readonly account: ResolvedAccount;
  readonly fanId: FanId;
}

/** Only the given labels. A missing one keeps its value (CHAT-7). */
export type FanLabels = Readonly<Partial<Record<'custom_name' | 'note', string>>>;

export type Labelled =
  /** `isConfirmed` is false where the body of the answer does not say it; its status does. */
  | { readonly kind: 'done'; readonly isConfirmed: boolean; readonly unrecorded: string | null }
  | { readonly kind: 'failed'; readonly problem: Problem };

/**
 * Sets the labels. Setting the same ones twice is harmless, so a lost request is repeated. An earlier one with another value
 * that may still take effect is waited out first, because it would land on top (LOST-11, FAULT-3).
 */
export async function labelFan(
  run: Run,
  { account, fanId }: FanPlace,
  labels: FanLabels,
  ask: (() => Promise<void>) | null,
): Promise<Labelled> {
  const params = { account_id: account.accountId, fan_id: fanId };
  const end = await sendAct(
    run,
    {
      subject: {
        operation: 'fans.label',
        account: account.alias,
        account_id: account.accountId,
        kind: 'label',
        name: fanId,
      },
      isOpen: ({ name }) => name === fanId,
      unconfirmed: {
        kind: 'repeat',
        mustWaitFor: (request) => contradicts(request, labels),
        covers: (request) => labelNames(request).every((name) => Object.hasOwn(labels, name)),
      },
      similar: null,
      check: null,
      prepare: () => ({
        asked: { labels },
        send: run.client.prepare('fans.label', { params, body: labels }),
      }),
      judge: ({ success }) => (success === false ? 'refused' : 'done'),
    },
    { acknowledge: true, ask },
  );
  if (end.kind === 'failed') return end;
  if (end.kind !== 'done') throw describeLost({ account, fanId }, end.kind === 'lost' ? end.lost : null);
  if (end.reply.success === false) throw describeDenial({ account, fanId });
  return { kind: 'done', isConfirmed: end.reply.success === true, unrecorded: end.unrecorded };
}

/** Whether a request on record sets one of these labels to another value. What cannot be read of it may. */
function contradicts(request: RequestRow, labels: FanLabels): boolean {
  const { labels: earlier } = parseAsked(request);
  if (typeof earlier !== 'object' || earlier === null) return true;
  return Object.entries(earlier).some(
    ([name, value]) =>
      (name === 'custom_name' || name === 'note') && labels[name] !== undefined && labels[name] !== value,
  );
}

function labelNames(request: RequestRow): readonly string[] {
  const { labels } = parseAsked(request);
  return typeof labels === 'object' && labels !== null ? Object.keys(labels) : [];
}

/** `fan 101001 of alice (account 101)` */
export function describeFan({ account: { alias, accountId }, fanId }: FanPlace): string {
  const account = alias === accountId ? `account ${accountId}` : `${alias} (account ${accountId})`;
  return visible(`fan ${fanId} of ${account}`);
}

function describeDenial(place: FanPlace): HeraldError {
  return new HeraldError(
    'label-denied',
    `The service answered that the label of ${describeFan(place)} was not set (success: false).`,
    'Check the id of the fan and the account.',
  );
}

function describeLost(place: FanPlace, lost: Lost<unknown> | null): HeraldError {
  const why = lost?.problem == null ? 'no answer' : describeProblem(lost.problem);
  return new HeraldError(
    'unknown-outcome',
    `Unconfirmed: the label of ${describeFan(place)} may have been set (${why}).`,
    'Run the command again; setting the same label twice is harmless. Herald cannot read labels; check on the service.',
    { exit: EXIT.unknown, details: lost?.problem ?? null },
  );
}
