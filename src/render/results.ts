import { OUTCOMES, type ApplyReport, type Outcome, type OutcomeKind } from '../domain/change.ts';
import { describeProblem } from '../api/errors.ts';
import { formatCommand } from '../domain/command-line.ts';
import { joinSentences } from '../domain/join-sentences.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import type { Address } from '../domain/resource.ts';
import type { Reason } from '../engine/reasons.ts';
import type { Result } from '../engine/run.ts';

/** The report of a run: its facts in words, each with the next command where something is left to do. */
export function describeResults(
  results: readonly Result[],
  { isByHand = false }: { readonly isByHand?: boolean } = {},
): ApplyReport {
  const outcomes = results.map((result) =>
    describeResult(result, isByHand ? byHandNext(result) : APPLY_NEXT),
  );
  const summary = Object.fromEntries(OUTCOMES.map((kind) => [kind, 0])) as Record<OutcomeKind, number>;
  for (const { outcome } of outcomes) summary[outcome] += 1;
  return { schema: 'herald/apply/1', outcomes, summary };
}

function describeResult({ change, outcome, liveId, reasons }: Result, next: Next): Outcome {
  const { address, action, needs, unreviewed, unapproved } = change;
  const sentences = reasons.map((reason) => describeReason(reason, address, next));
  const allowances = needs.map((need) => `It needs --allow ${need}.`);
  return {
    address,
    action,
    outcome,
    live_id: liveId,
    message: joinSentences([...sentences, ...(action === 'blocked' ? allowances : [])]),
    ...(needs.length === 0 || action !== 'blocked' ? {} : { needs: [...needs] }),
    ...(unreviewed === undefined ? {} : { unreviewed: { ...unreviewed, fields: [] } }),
    ...(unapproved === undefined ? {} : { unapproved }),
  };
}

const PLAN_AGAIN = () => `To see what is live now: ${formatCommand('plan')}`;

/** What a person does next. */
interface Next {
  /** After what was not carried out. */
  readonly goOn: () => string;
  /** After what was not carried out as it was answered. */
  readonly check: () => string;
  /** After what got no answer. */
  readonly resolve: (address: Address) => string;
}

const APPLY_NEXT: Next = {
  goOn: () => `To go on: ${formatCommand('apply')}`,
  check: PLAN_AGAIN,
  resolve: (address) =>
    `Do not repeat it by hand. ${formatCommand('apply', '--target', formatTarget(address))} finds out first, and goes on from there`,
};

/** A command by hand is run again: a stop may be repeated at any time, and a start finds out first what became of the last one. */
function byHandNext({ change: { address, action }, liveId }: Result): Next {
  const { kind, account, name } = address;
  const what = liveId === null ? [formatTarget({ account, kind, name })] : [liveId, '--account', account];
  const again = () => `To try it again: ${formatCommand(KIND_ROWS[kind].plural, action, ...what)}`;
  return { goOn: again, check: again, resolve: again };
}

/** Words for each kind of reason. */
type Words = {
  readonly [Kind in Reason['kind']]: (
    reason: Extract<Reason, { readonly kind: Kind }>,
    address: Address,
    next: Next,
  ) => string;
};

const WORDS: Words = {
  refused: ({ problem }) => joinSentences([describeProblem(problem), problem.hint ?? PLAN_AGAIN()]),
  'no-answer': describeSilence,
  'not-sent': ({ problem }, _address, next) =>
    joinSentences([`It was not sent: ${describeProblem(problem)}`, problem.hint ?? next.goOn()]),
  hindered: ({ hindrance }, address, next) => describeHindrance(hindrance, address, next),
  unrecorded: ({ message, wasSent }, _address, next) =>
    wasSent
      ? joinSentences([`It was sent, and the state cannot record how it ended: ${message}`, next.goOn()])
      : joinSentences([`It was not sent, because the state cannot record it: ${message}`, next.goOn()]),
  interrupted: (_, _address, next) => joinSentences(['The run was interrupted before it began', next.goOn()]),
  halted: ({ because }, _address, next) => joinSentences([HALTED[because], next.goOn()]),
  'too-near': ({ scheduledAt }) =>
    `Its time ${scheduledAt} has passed or is less than 5 minutes away, and the service sends a past schedule at once. To send it, change scheduled_at.`,
  differs: ({ id, what, was, is }) =>
    joinSentences([describeDifference(id, what, was, is), 'It was not changed', PLAN_AGAIN()]),
  left: describeLeft,
  unread: ({ id, problem }, _address, next) =>
    joinSentences([`${id} cannot be read, so nothing was started: ${describeProblem(problem)}`, next.goOn()]),
  'list-unread': ({ message }, _address, next) =>
    joinSentences([`The list could not be read, so nothing was started: ${message}`, next.goOn()]),
  'list-changed': ({ ids }) =>
    joinSentences([
      `${ids.join(', ')} appeared with this name or was started since the plan was made, and fans could get both`,
      PLAN_AGAIN(),
    ]),
  'not-shown': ({ id, status }, _address, next) =>
    joinSentences([
      `${id} still reads as ${status ?? 'no status'}, although the service confirmed the change. Check it on the service`,
      next.check(),
    ]),
  'changed-again': ({ id, status }, _address, next) =>
    joinSentences([
      `${id} reads as ${status ?? 'no status'} after the service confirmed the change. A person or the service changed it again`,
      next.check(),
    ]),
  'wrong-account': ({ id, accountId }) =>
    joinSentences([
      `The answer says that ${id} was created on account ${accountId}. Check both accounts on the service.`,
      PLAN_AGAIN(),
    ]),
  'no-media': ({ path, message }, _address, next) =>
    joinSentences([`${path} is not in the vault, so this change was not started: ${message}`, next.goOn()]),
  'lost-twice': (_, _address, next) =>
    joinSentences([
      'Two creates got no answer, and the lists show neither. Nothing is created a third time in one run',
      next.goOn(),
    ]),
  unclear: describeUnclear,
  'not-agreed': () =>
    joinSentences(['What is left to do is not what was agreed to, so it was not done', PLAN_AGAIN()]),
  planned: ({ reasons }) => joinSentences([...reasons]),
  bug: ({ message }) =>
    joinSentences([
      `Herald itself failed during this change: ${message}. Check it on the service`,
      PLAN_AGAIN(),
    ]),
  'old-runs-again': ({ id }) => `The old version ${id} is active again, so nothing changed.`,
  'old-stays-paused': ({ id, because }, address, next) =>
    joinSentences([
      because === null
        ? `The old version ${id} stays paused until it is known what became of the new one`
        : `The old version ${id} stays paused`,
      because === null ? null : describeReason(because, address, next),
    ]),
  'new-is-live': ({ id }, _address, next) => joinSentences([`The new version ${id} is live`, next.goOn()]),
  'renamed-by-service': ({ name }) => `The service rewrote the name to ${JSON.stringify(name)}.`,
  'not-on-record': ({ message }, _address, next) =>
    joinSentences([`The service confirmed it, and the state does not have that: ${message}`, next.check()]),
  'start-open': describeOpenStart,
  'needs-again': ({ action, id, status }) =>
    joinSentences([
      `By now ${id ?? 'it'} ${status === null ? 'is not as declared' : `is ${status}`}, and "${action}" would be needed again`,
      PLAN_AGAIN(),
    ]),
  found: ({ id }) => `${id} was found for a create that got no answer.`,
  'had-begun': ({ id, percent }) =>
    `${id} had begun to go out before it was paused${percent === null ? '' : ` (${percent} % done)`}.`,
};

type Of<Kind extends Reason['kind']> = Extract<Reason, { readonly kind: Kind }>;

function describeSilence({ problem }: Of<'no-answer'>, address: Address, next: Next): string {
  return joinSentences([
    `No answer proves what became of it, so it may still take effect: ${describeProblem(problem)}`,
    next.resolve(address),
  ]);
}

function describeLeft({ id }: Of<'left'>, { account }: Address): string {
  return joinSentences([
    `${id} has begun to go out since the plan was made, so nothing was changed`,
    `To stop it now: ${formatCommand('broadcasts', 'pause', id, '--account', account)}`,
  ]);
}

function describeUnclear({ ids }: Of<'unclear'>, { kind, account }: Address): string {
  const stop = formatCommand(KIND_ROWS[kind].plural, 'pause', ids[0] ?? 'ID', '--account', account);
  return joinSentences([
    `A create without an answer may have made ${ids.join(' or ')}, with other content than was sent. Check on the service`,
    `To keep one of them: ${formatCommand('apply', '--allow', 'adopt')}. To stop one: ${stop}`,
  ]);
}

function describeOpenStart(_: Of<'start-open'>, { kind, account }: Address): string {
  return joinSentences([
    'A start of this name got no answer and may still take effect. Run the same command again to stop what it made',
    `To see it: ${formatCommand(KIND_ROWS[kind].plural, 'list', '--account', account)}`,
  ]);
}

/** One reason as a sentence or two. */
function describeReason(reason: Reason, address: Address, next: Next): string {
  const describeIt = WORDS[reason.kind] as (reason: Reason, address: Address, next: Next) => string;
  return describeIt(reason, address, next);
}

const HALTED: Readonly<Record<Extract<Reason, { readonly kind: 'halted' }>['because'], string>> = {
  denied: 'Not attempted after the key was refused',
  unrecorded: 'Not attempted, because the state cannot record it',
  'lease-lost': 'Not attempted, because another run has the lease of the state',
  bug: 'Not attempted after an error in Herald',
};

function describeHindrance(
  hindrance: Extract<Reason, { readonly kind: 'hindered' }>['hindrance'],
  address: Address,
  next: Next,
): string {
  const target = formatTarget(address);
  switch (hindrance.kind) {
    case 'lease-lost':
      return joinSentences(['Another run has the lease of the state, so nothing more was sent', next.goOn()]);
    case 'stopped-by-hand':
      return joinSentences([
        `${hindrance.request.who ?? 'A person'} stopped it with "${hindrance.request.command}" meanwhile, so it was not started`,
        `To start it: ${formatCommand('apply', '--target', target, '--allow', 'resume')}`,
      ]);
    case 'open-start':
      return joinSentences([
        `An earlier start of ${hindrance.request.name === address.name ? 'its name' : `"${hindrance.request.name}", which has its content,`} has no answer yet (${hindrance.request.entry})`,
        next.goOn(),
      ]);
    case 'open-stop':
      return joinSentences([
        `An earlier stop of it has no answer yet (${hindrance.request.entry}), and could undo this start`,
        next.goOn(),
      ]);
    case 'open-payout':
      return `Another payout of the account has no answer yet (${hindrance.request.entry}).`;
    case 'ended':
      return joinSentences(['It was closed meanwhile', PLAN_AGAIN()]);
  }
}

function describeDifference(
  id: string,
  what: 'status' | 'hour' | 'content',
  was: string | null,
  is: string | null,
): string {
  if (what === 'content') return `${id} was edited after the plan was made`;
  const none = what === 'status' ? 'without a status' : 'without an hour';
  return `${id} was ${was ?? none} when the plan was made and is ${is ?? none} now`;
}

function formatTarget({ account, kind, name }: Address): string {
  return `${account}/${kind}/${name}`;
}
