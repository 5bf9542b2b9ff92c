import { type ApplyReport, type Outcome, type OutcomeKind, OUTCOMES } from '../domain/change.ts';
import { describeProblem } from '../api/errors.ts';
import { formatCommand } from '../domain/command-line.ts';
import { type Address, KIND_ROWS } from '../domain/resource.ts';
import type { Reason } from '../engine/reasons.ts';
import type { Result } from '../engine/run.ts';

/** The command that goes on, where that is not an apply of the files. */
export interface Again {
  readonly command: string;
  /** It may be sent again at any time: a stop is a stop, and a start finds out first what became of the last one. */
  readonly mayRepeat: boolean;
}

/** The report of a run: its facts in words, each with the next command where something is left to do. */
export function describeResults(
  results: readonly Result[],
  findAgain: (result: Result) => Again | null = () => null,
): ApplyReport {
  const outcomes = results.map((result) => describeResult(result, findAgain(result)));
  const summary = Object.fromEntries(OUTCOMES.map((kind) => [kind, 0])) as Record<OutcomeKind, number>;
  for (const { outcome } of outcomes) summary[outcome] += 1;
  return { schema: 'herald/apply/1', outcomes, summary };
}

function describeResult({ change, outcome, liveId, reasons }: Result, again: Again | null): Outcome {
  const { address, action, needs, unreviewed, unapproved } = change;
  const sentences = reasons.map((reason) => describeReason(reason, { address, again }));
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

/** What the words of a reason are about. */
interface About {
  readonly address: Address;
  /** Null for an apply. */
  readonly again: Again | null;
}

const goOn = ({ again }: About) =>
  again === null ? `To go on: ${formatCommand('apply')}` : `To try it again: ${again.command}`;

/** An object that no file declares is in no plan. */
const lookAgain = ({ address: { account, kind }, again }: About) =>
  `To see what is live now: ${again === null ? formatCommand('plan') : formatCommand(KIND_ROWS[kind].plural, 'list', '--account', account)}`;

/** After what was not carried out as it was answered. */
const checkAgain = (about: About) => (about.again?.mayRepeat === true ? goOn(about) : lookAgain(about));

/** Words for each kind of reason. */
type Words = {
  readonly [Kind in Reason['kind']]: (
    reason: Extract<Reason, { readonly kind: Kind }>,
    about: About,
  ) => string;
};

const WORDS: Words = {
  refused: ({ problem }, about) => joinSentences([describeProblem(problem), problem.hint, lookAgain(about)]),
  'no-answer': describeSilence,
  'not-sent': ({ problem }, about) =>
    joinSentences([`It was not sent: ${describeProblem(problem)}`, problem.hint, goOn(about)]),
  hindered: ({ hindrance }, about) => describeHindrance(hindrance, about),
  unrecorded: ({ message, wasSent }, about) =>
    wasSent
      ? joinSentences([`It was sent, and the state cannot record how it ended: ${message}`, goOn(about)])
      : joinSentences([`It was not sent, because the state cannot record it: ${message}`, goOn(about)]),
  interrupted: (_, about) => joinSentences(['The run was interrupted before it began', goOn(about)]),
  halted: ({ because }, about) => joinSentences([HALTED[because], goOn(about)]),
  'too-near': ({ scheduledAt }) =>
    `Its time ${scheduledAt} has passed or is less than 5 minutes away, and the service sends a past schedule at once. To send it, change scheduled_at.`,
  differs: ({ id, what, was, is }, about) =>
    joinSentences([describeDifference(id, what, was, is), 'It was not changed', lookAgain(about)]),
  left: describeLeft,
  unread: ({ id, problem }, about) =>
    joinSentences([`${id} cannot be read, so nothing was started: ${describeProblem(problem)}`, goOn(about)]),
  'list-unread': ({ message }, about) =>
    joinSentences([`The list could not be read, so nothing was started: ${message}`, goOn(about)]),
  'list-changed': ({ ids }, about) =>
    joinSentences([
      `${ids.join(', ')} appeared with this name or was started since the plan was made, and fans could get both`,
      lookAgain(about),
    ]),
  'not-shown': ({ id, status }, about) =>
    joinSentences([
      `${id} still reads as ${status ?? 'no status'}, although the service confirmed the change. Check it on the service`,
      checkAgain(about),
    ]),
  'changed-again': ({ id, status }, about) =>
    joinSentences([
      `${id} reads as ${status ?? 'no status'} after the service confirmed the change. A person or the service changed it again`,
      checkAgain(about),
    ]),
  'wrong-account': ({ id, accountId }, about) =>
    joinSentences([
      `The answer says that ${id} was created on account ${accountId}. Check both accounts on the service.`,
      lookAgain(about),
    ]),
  'no-media': ({ path, message }, about) =>
    joinSentences([`${path} is not in the vault, so this change was not started: ${message}`, goOn(about)]),
  'lost-twice': (_, about) =>
    joinSentences([
      'Two creates got no answer, and the lists show neither. Nothing is created a third time in one run',
      goOn(about),
    ]),
  unclear: describeUnclear,
  'not-agreed': (_, about) =>
    joinSentences(['What is left to do is not what was agreed to, so it was not done', lookAgain(about)]),
  planned: ({ reasons }) => joinSentences([...reasons]),
  bug: ({ message }, about) =>
    joinSentences([
      `Herald itself failed during this change: ${message}. Check it on the service`,
      lookAgain(about),
    ]),
  'old-runs-again': ({ id }) => `The old version ${id} is active again, so nothing changed.`,
  'old-stays-paused': ({ id, because }, about) =>
    joinSentences([
      `Herald paused the old version ${id}, and did not start it again`,
      because === null ? null : describeReason(because, about),
    ]),
  'new-is-live': ({ id, oldId }, about) =>
    joinSentences([
      `The new version ${id} is live${oldId === null ? '' : `, and the old one ${oldId} runs as well, so fans could get both`}`,
      goOn(about),
    ]),
  'renamed-by-service': ({ name }) => `The service rewrote the name to ${JSON.stringify(name)}.`,
  rewritten: ({ paths }) =>
    `The service changed ${paths.join(', ')} while creating it. Herald accepts that from now on.`,
  'not-on-record': ({ message }, about) =>
    joinSentences([
      `The service confirmed it, and the state does not have that: ${message}`,
      checkAgain(about),
    ]),
  'start-open': describeOpenStart,
  'needs-again': ({ action, id, status }, about) =>
    joinSentences([
      `By now ${id ?? 'it'} ${status === null ? 'is not as declared' : `is ${status}`}, and "${action}" would be needed again`,
      lookAgain(about),
    ]),
  found: () => 'Found for a create that got no answer.',
  'had-begun': ({ id, percent }) =>
    `${id} had begun to go out before it was paused${percent === null ? '' : ` (${percent} % done)`}.`,
};

type Of<Kind extends Reason['kind']> = Extract<Reason, { readonly kind: Kind }>;

function describeSilence({ problem }: Of<'no-answer'>, about: About): string {
  const { address, again } = about;
  return joinSentences([
    `No answer proves what became of it, so it may still take effect: ${describeProblem(problem)}`,
    again?.mayRepeat === true
      ? goOn(about)
      : `Do not repeat it by hand. ${again?.command ?? formatCommand('apply', '--target', formatTarget(address))} finds out first, and goes on from there`,
  ]);
}

function describeLeft({ id, isPaused }: Of<'left'>, { address: { account } }: About): string {
  if (isPaused)
    return joinSentences([
      `${id} had begun to go out before it was paused, so nothing new was created`,
      `To send the rest: ${formatCommand('broadcasts', 'resume', id, '--account', account)}`,
    ]);
  return joinSentences([
    `${id} has begun to go out since the plan was made, so nothing was changed`,
    `To stop it now: ${formatCommand('broadcasts', 'pause', id, '--account', account)}`,
  ]);
}

function describeUnclear({ ids }: Of<'unclear'>, { address: { kind, account }, again }: About): string {
  const stop = formatCommand(KIND_ROWS[kind].plural, 'pause', ids[0] ?? 'ID', '--account', account);
  return joinSentences([
    `A create without an answer may have made ${ids.join(' or ')}, with other content than was sent. Check on the service`,
    again === null ? `To keep one of them: ${formatCommand('apply', '--allow', 'adopt')}` : null,
    `To stop one: ${stop}`,
  ]);
}

function describeOpenStart(_: Of<'start-open'>, { address: { kind, account } }: About): string {
  return joinSentences([
    'A start of this name got no answer and may still take effect. Run the same command again to stop what it made',
    `To see it: ${formatCommand(KIND_ROWS[kind].plural, 'list', '--account', account)}`,
  ]);
}

/** One reason as a sentence or two. */
function describeReason(reason: Reason, about: About): string {
  const describeIt = WORDS[reason.kind] as (reason: Reason, about: About) => string;
  return describeIt(reason, about);
}

const HALTED: Readonly<Record<Extract<Reason, { readonly kind: 'halted' }>['because'], string>> = {
  denied: 'Not attempted after the key was refused',
  unrecorded: 'Not attempted, because the state cannot record it',
  'lease-lost': 'Not attempted, because another run has the lease of the state',
  bug: 'Not attempted after an error in Herald',
};

function describeHindrance(
  hindrance: Extract<Reason, { readonly kind: 'hindered' }>['hindrance'],
  about: About,
): string {
  const { address, again } = about;
  switch (hindrance.kind) {
    case 'lease-lost':
      return joinSentences(['Another run has the lease of the state, so nothing more was sent', goOn(about)]);
    case 'stopped-by-hand':
      return joinSentences([
        `${hindrance.request.who ?? 'A person'} stopped it with "${hindrance.request.command}" meanwhile, so it was not started`,
        `To start it: ${again?.command ?? formatCommand('apply', '--target', formatTarget(address), '--allow', 'resume')}`,
      ]);
    case 'open-start':
      return joinSentences([
        `An earlier start of ${hindrance.request.name === address.name ? 'its name' : `"${hindrance.request.name}", which has its content,`} has no answer yet (${hindrance.request.entry})`,
        goOn(about),
      ]);
    case 'open-stop':
      return joinSentences([
        `An earlier stop of it has no answer yet (${hindrance.request.entry}), and could undo this start`,
        goOn(about),
      ]);
    case 'open-payout':
      return `Another payout of the account has no answer yet (${hindrance.request.entry}).`;
    case 'ended':
      return joinSentences(['It was closed meanwhile', lookAgain(about)]);
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

/** Sentences in a row, each with its full stop; empty ones are left out. */
export function joinSentences(parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null && part !== '')
    .map((part) => (/[.!?]$/.test(part ?? '') ? part : `${part}.`))
    .join(' ');
}
