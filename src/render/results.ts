import {
  OUTCOMES,
  type ApplyReport,
  type Outcome,
  type OutcomeKind,
  type StepKind,
} from '../domain/change.ts';
import { describeProblem } from '../api/errors.ts';
import { formatCommand } from '../domain/command-line.ts';
import { joinSentences } from '../domain/join-sentences.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import type { Address } from '../domain/resource.ts';
import type { Reason } from '../engine/reasons.ts';
import type { Result } from '../engine/run.ts';

/** The report of a run: its facts in words, each with the next command where something is left to do. */
export function describeResults(results: readonly Result[]): ApplyReport {
  const outcomes = results.map(describeResult);
  const summary = Object.fromEntries(OUTCOMES.map((kind) => [kind, 0])) as Record<OutcomeKind, number>;
  for (const { outcome } of outcomes) summary[outcome] += 1;
  return { schema: 'herald/apply/1', outcomes, summary };
}

function describeResult({ change, outcome, liveId, reasons }: Result): Outcome {
  const { address, action, needs, unreviewed, unapproved } = change;
  const sentences = reasons.map((reason) => describeReason(reason, address));
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

const APPLY_AGAIN = () => `To go on: ${formatCommand('apply')}`;
const PLAN_AGAIN = () => `To see what is live now: ${formatCommand('plan')}`;

/** Words for each kind of reason. */
type Words = {
  readonly [Kind in Reason['kind']]: (
    reason: Extract<Reason, { readonly kind: Kind }>,
    address: Address,
  ) => string;
};

const WORDS: Words = {
  refused: ({ problem }) => joinSentences([describeProblem(problem), problem.hint ?? PLAN_AGAIN()]),
  'no-answer': describeSilence,
  'not-sent': ({ problem }) =>
    joinSentences([`It was not sent: ${describeProblem(problem)}`, problem.hint ?? APPLY_AGAIN()]),
  hindered: ({ hindrance }, address) => describeHindrance(hindrance, address),
  unrecorded: ({ message, wasSent }) =>
    wasSent
      ? joinSentences([`It was sent, and the state cannot record how it ended: ${message}`, APPLY_AGAIN()])
      : joinSentences([`It was not sent, because the state cannot record it: ${message}`, APPLY_AGAIN()]),
  interrupted: () => joinSentences(['The run was interrupted before it began', APPLY_AGAIN()]),
  halted: ({ because }) => joinSentences([HALTED[because], APPLY_AGAIN()]),
  'too-near': ({ scheduledAt }) =>
    `Its time ${scheduledAt} has passed or is less than 5 minutes away, and the service sends a past schedule at once. To send it, change scheduled_at.`,
  differs: ({ id, what, was, is }) =>
    joinSentences([describeDifference(id, what, was, is), 'It was not changed', PLAN_AGAIN()]),
  left: describeLeft,
  unread: ({ id, problem }) =>
    joinSentences([
      `${id} cannot be read, so nothing was started: ${describeProblem(problem)}`,
      APPLY_AGAIN(),
    ]),
  'list-unread': ({ message }) =>
    joinSentences([`The list could not be read, so nothing was started: ${message}`, APPLY_AGAIN()]),
  'list-changed': ({ ids }) =>
    joinSentences([
      `${ids.join(', ')} appeared with this name or was started since the plan was made, and fans could get both`,
      PLAN_AGAIN(),
    ]),
  'not-shown': ({ id, status }) =>
    joinSentences([
      `${id} still reads as ${status ?? 'no status'}, although the service confirmed the change. Check it on the service`,
      PLAN_AGAIN(),
    ]),
  'changed-again': ({ id, status }) =>
    joinSentences([
      `${id} reads as ${status ?? 'no status'} after the service confirmed the change. A person or the service changed it again`,
      PLAN_AGAIN(),
    ]),
  'wrong-account': ({ id, accountId }) =>
    joinSentences([
      `The answer says that ${id} was created on account ${accountId}. Check both accounts on the service.`,
      PLAN_AGAIN(),
    ]),
  'no-media': ({ path, message }) =>
    joinSentences([`${path} is not in the vault, so this change was not started: ${message}`, APPLY_AGAIN()]),
  'lost-twice': () =>
    joinSentences([
      'Two creates got no answer, and the lists show neither. Nothing is created a third time in one run',
      APPLY_AGAIN(),
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
  'old-stays-paused': ({ id, because }, address) =>
    joinSentences([
      because === null
        ? `The old version ${id} stays paused until it is known what became of the new one`
        : `The old version ${id} stays paused: ${describeReason(because, address)}`,
    ]),
  'new-is-live': describeNewIsLive,
  'changed-by-service': ({ paths }) =>
    `The service changed ${paths.join(', ')} when it created this. Herald accepts that from now on.`,
  'renamed-by-service': ({ name }) => `The service rewrote the name to ${JSON.stringify(name)}.`,
  'not-on-record': ({ message }) =>
    joinSentences([`The service confirmed it, and the state does not have that: ${message}`, PLAN_AGAIN()]),
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

function describeSilence({ problem }: Of<'no-answer'>, address: Address): string {
  return joinSentences([
    `No answer proves what became of it, so it may still take effect: ${describeProblem(problem)}`,
    `Do not repeat it by hand. ${formatCommand('apply', '--target', formatTarget(address))} finds out first, and goes on from there`,
  ]);
}

function describeLeft({ id }: Of<'left'>, { account }: Address): string {
  return joinSentences([
    `${id} has begun to go out since the plan was made, so nothing was changed`,
    `To stop it now: ${formatCommand('broadcasts', 'pause', id, '--account', account)}`,
  ]);
}

const UNDONE: Partial<Record<StepKind, string>> = {
  pause: 'may still run, so fans may get both',
  archive: 'may not be archived yet',
};

function describeNewIsLive({ id, step, old }: Of<'new-is-live'>): string {
  const undone = old === null ? undefined : UNDONE[step];
  return joinSentences([
    `The new version ${id} is live${undone === undefined ? '' : `, and the old version ${old ?? ''} ${undone}`}`,
    APPLY_AGAIN(),
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
function describeReason(reason: Reason, address: Address): string {
  const describeIt = WORDS[reason.kind] as (reason: Reason, address: Address) => string;
  return describeIt(reason, address);
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
): string {
  const target = formatTarget(address);
  switch (hindrance.kind) {
    case 'lease-lost':
      return joinSentences([
        'Another run has the lease of the state, so nothing more was sent',
        APPLY_AGAIN(),
      ]);
    case 'stopped-by-hand':
      return joinSentences([
        `${hindrance.request.who ?? 'A person'} stopped it with "${hindrance.request.command}" meanwhile, so it was not started`,
        `To start it: ${formatCommand('apply', '--target', target, '--allow', 'resume')}`,
      ]);
    case 'open-start':
      return joinSentences([
        `An earlier start of ${hindrance.request.name === address.name ? 'its name' : `"${hindrance.request.name}", which has its content,`} has no answer yet (${hindrance.request.entry})`,
        APPLY_AGAIN(),
      ]);
    case 'open-stop':
      return joinSentences([
        `An earlier stop of it has no answer yet (${hindrance.request.entry}), and could undo this start`,
        APPLY_AGAIN(),
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
