import { type ApplyReport, type Outcome, type OutcomeKind, OUTCOMES } from '../domain/change.ts';
import { describeProblem } from '../api/errors.ts';
import type { Allowance } from '../domain/change-kinds.ts';
import { formatCommand } from '../domain/command-line.ts';
import { escapeGlob } from '../domain/glob.ts';
import { type Address, formatAddress, KIND_ROWS } from '../domain/resource.ts';
import type { Reason } from '../engine/reasons.ts';
import type { Result } from '../engine/run.ts';

/**
 * How people go on after the run of a result: by an apply with the limits of that run, by the job of a commit, or by the command for
 * one object. `mayRepeat`: it may be sent again at any time, because a stop is a stop, and a start finds out first what became of the
 * last one.
 */
export type Again =
  | { readonly kind: 'apply'; readonly command: string }
  | { readonly kind: 'job'; readonly commit: string }
  | { readonly kind: 'by-hand'; readonly command: string; readonly mayRepeat?: true };

/** The report of a run: its facts in words, each with the next command where something is left to do. */
export function describeResults(
  results: readonly Result[],
  findAgain: (result: Result) => Again = () => ({ kind: 'apply', command: formatCommand('apply') }),
): ApplyReport {
  const outcomes = results.map((result) => describeResult(result, findAgain(result)));
  const summary = Object.fromEntries(OUTCOMES.map((kind) => [kind, 0])) as Record<OutcomeKind, number>;
  for (const { outcome } of outcomes) summary[outcome] += 1;
  return { schema: 'herald/apply/1', outcomes, summary };
}

function describeResult({ change, outcome, liveId, reasons }: Result, again: Again): Outcome {
  const { address, action, needs, fields, unreviewed, unapproved } = change;
  const sentences = reasons.map((reason) => describeReason(reason, { address, again }));
  const allowances = needs.map((need) => `It needs --allow ${need}.`);
  return {
    address,
    action,
    outcome,
    live_id: liveId,
    message: joinSentences([...sentences, ...(action === 'blocked' ? allowances : [])]),
    ...(needs.length === 0 || action !== 'blocked' ? {} : { needs: [...needs] }),
    ...(unreviewed === undefined ? {} : { unreviewed: { ...unreviewed, fields: [...fields] } }),
    ...(unapproved === undefined ? {} : { unapproved }),
  };
}

interface About {
  readonly address: Address;
  readonly again: Again;
}

type NextCommand = 'goOn' | 'look' | 'list' | 'check' | 'record' | 'none';

/** The command at the end of a reason. `check` comes after what was not carried out as it was answered. */
const NEXT: Readonly<Record<NextCommand, (about: About) => string>> = {
  goOn: ({ again }) => {
    if (again.kind === 'job') return `To go on: run the apply job of ${again.commit.slice(0, 12)} again`;
    return `${again.kind === 'apply' ? 'To go on' : 'To try it again'}: ${again.command}`;
  },
  /** An object that no file declares is in no plan. */
  look: ({ address: { account, kind }, again }) =>
    `To see what is live now: ${again.kind === 'by-hand' ? formatCommand(KIND_ROWS[kind].plural, 'list', '--account', account) : formatCommand('plan')}`,
  check: (about) => ('mayRepeat' in about.again ? NEXT.goOn(about) : NEXT.look(about)),
  record: (about) =>
    'mayRepeat' in about.again
      ? `To put it on record when the state can be written: ${about.again.command}`
      : NEXT.look(about),
  list: ({ address: { account, kind } }) =>
    `To see it: ${formatCommand(KIND_ROWS[kind].plural, 'list', '--account', account)}`,
  none: () => '',
};

type Of<Kind extends Reason['kind']> = Extract<Reason, { readonly kind: Kind }>;

/** For each kind of reason, what comes next, and its sentences. */
type Words = {
  readonly [Kind in Reason['kind']]: readonly [
    next: NextCommand,
    words: (reason: Of<Kind>, about: About) => string | readonly (string | null)[],
  ];
};

const WORDS: Words = {
  refused: ['look', ({ problem }) => [describeProblem(problem), problem.hint]],
  'no-answer': [
    'goOn',
    ({ problem }, { again }) => [
      `No answer proves what became of it, so it may still take effect: ${describeProblem(problem)}`,
      'mayRepeat' in again ? null : 'Do not repeat it by hand: the next run finds out first',
    ],
  ],
  'not-sent': ['goOn', ({ problem }) => [`It was not sent: ${describeProblem(problem)}`, problem.hint]],
  hindered: ['none', ({ hindrance }, about) => describeHindrance(hindrance, about)],
  unrecorded: [
    'goOn',
    ({ message, wasSent }) =>
      wasSent
        ? `It was sent, and the state cannot record how it ended: ${message}`
        : `It was not sent, because the state cannot record it: ${message}`,
  ],
  interrupted: ['goOn', () => 'The run was interrupted before it began'],
  halted: ['goOn', () => 'Not attempted, because another change stopped the run'],
  'too-near': [
    'none',
    ({ scheduledAt }) =>
      `Its time ${scheduledAt} has passed or is less than 5 minutes away (7 for a replace), and the service sends a past schedule at once. To send it, change scheduled_at.`,
  ],
  differs: ['look', (reason) => [describeDifference(reason), 'It was not changed']],
  'stopped-since': [
    'none',
    ({ id, status }) =>
      `A person or the service has stopped ${id} since the plan was made: it is ${status ?? 'without a status'}. Herald has not stopped it.`,
  ],
  left: ['none', describeLeft],
  unread: ['goOn', ({ message }) => `Nothing was started, because it cannot be read: ${message}`],
  'list-changed': [
    'look',
    ({ ids }) =>
      `${ids.join(', ')} appeared with this name or has another status since the plan was made, and fans could get both`,
  ],
  'not-shown': [
    'check',
    ({ id, status }) =>
      `${id} reads as ${status ?? 'no status'}, although the service confirmed the change. It was not carried out, or was changed again. Check it on the service`,
  ],
  'no-media': [
    'goOn',
    ({ path, message }) => `${path} is not in the vault, so this change was not started: ${message}`,
  ],
  lost: ['look', () => 'It got no answer, and it was not carried out'],
  'lost-twice': [
    'goOn',
    () =>
      'It was sent twice without an answer, and the lists do not show it. Nothing is created again in this run',
  ],
  unclear: ['none', describeUnclear],
  'not-agreed': ['look', () => 'What is left to do is not what was agreed to, so it was not done'],
  planned: ['none', describePlanned],
  'broke-off': ['none', ({ message }) => ['The run ended here', message]],
  bug: [
    'look',
    ({ message }) => `Herald itself failed during this change: ${message}. Check it on the service`,
  ],
  'old-runs-again': ['none', ({ id }) => `The old version ${id} is active again, so nothing changed.`],
  'old-stays-paused': [
    'none',
    ({ id, because }, about) => [
      `Herald paused the old version ${id}, and did not start it again`,
      because === null ? null : describeReason(because, about),
    ],
  ],
  'new-is-live': [
    'goOn',
    ({ id, oldId }) =>
      `The new version ${id} is live${oldId === null ? '' : `, and the old one ${oldId} runs as well, so fans could get both`}`,
  ],
  rewritten: ['none', ({ paths }) => `The service changed ${paths.join(', ')} while creating it.`],
  'not-on-record': [
    'record',
    ({ message }) => `The service confirmed it, and the state does not have that: ${message}`,
  ],
  'start-open': [
    'none',
    (_, about) => [
      'A start of this name got no answer and may still take effect. Run the same command again to stop what it made',
      NEXT.list(about),
    ],
  ],
  'run-elsewhere': [
    'check',
    ({ holder }) => `A run of ${holder} works on the state meanwhile, and may start this after it`,
  ],
  'needs-again': [
    'look',
    ({ action, id, status }) =>
      `By now ${id ?? 'it'} ${status === null ? 'is not as declared' : `is ${status}`}, and "${action}" would be needed again`,
  ],
  found: ['none', () => 'Found for a create that got no answer.'],
  'had-begun': [
    'none',
    ({ id, percent }) =>
      `${id} had begun to go out before it was paused${percent === null ? '' : ` (${percent} % done)`}.`,
  ],
};

/** One reason as sentences, with the command at their end. */
function describeReason(reason: Reason, about: About): string {
  const [next, words] = WORDS[reason.kind] as Words['bug'];
  return joinSentences([words(reason as Of<'bug'>, about), NEXT[next](about)].flat());
}

function describePlanned({ reasons, needs = [] }: Of<'planned'>, about: About): readonly (string | null)[] {
  return needs.length === 0 ? reasons : [...reasons, nameAllowance('To allow it', needs, about)];
}

/** Null in a job, which allows what `herald.yaml` allows: this is the decision of a person. */
function nameAllowance(label: string, needs: readonly Allowance[], { address, again }: About) {
  if (again.kind === 'job') return null;
  const flags = needs.flatMap((need) => ['--allow', need]);
  const apply = formatCommand('apply', '--target', escapeGlob(formatAddress(address)), ...flags);
  return `${label}: ${again.kind === 'by-hand' ? again.command : apply}`;
}

function describeLeft({ id, isPaused }: Of<'left'>, { address: { account } }: About): readonly string[] {
  const command = (verb: string) => formatCommand('broadcasts', verb, id, '--account', account);
  return isPaused
    ? [
        `${id} had begun to go out before it was paused, so nothing new was created`,
        `To send the rest: ${command('resume')}`,
      ]
    : [
        `${id} has begun to go out since the plan was made, so nothing was changed`,
        `To stop it now: ${command('pause')}`,
      ];
}

function describeUnclear({ ids, entry }: Of<'unclear'>, { address: { kind, account } }: About) {
  const close = formatCommand('state', 'close', entry, '--because', '…');
  return [
    `A create without an answer may have made ${ids.join(' or ')}, with other content than was sent. Check on the service`,
    `To stop one: ${formatCommand(KIND_ROWS[kind].plural, 'pause', ids[0] ?? 'ID', '--account', account)}`,
    `After that, or to keep one: ${close}. To keep its content in the files: ${formatCommand('import', '--update')}`,
  ];
}

function describeHindrance(hindrance: Of<'hindered'>['hindrance'], about: About): readonly (string | null)[] {
  const { address } = about;
  switch (hindrance.kind) {
    case 'lease-lost':
      return ['Another run has the lease of the state, so nothing more was sent', NEXT.goOn(about)];
    case 'stopped-by-hand':
      return [
        `${hindrance.request.who ?? 'A person'} stopped it with "${hindrance.request.command}" meanwhile, so it does not run`,
        nameAllowance('To start it', ['resume'], about),
      ];
    case 'open-start':
      return [
        `An earlier start of ${hindrance.request.name === address.name ? 'its name' : `"${hindrance.request.name}", which has its content,`} has no answer yet (${hindrance.request.entry})`,
        NEXT.goOn(about),
      ];
    case 'open-stop':
      return [
        `An earlier stop of it has no answer yet (${hindrance.request.entry}), and could undo this start`,
        NEXT.goOn(about),
      ];
    case 'open-payout':
      return [`Another payout of the account has no answer yet (${hindrance.request.entry}).`];
    case 'ended':
      return ['It was closed meanwhile', NEXT.look(about)];
  }
}

function describeDifference({ id, what, was, is }: Of<'differs'>): string {
  if (what === 'content') return `${id} was edited after the plan was made`;
  const none = what === 'status' ? 'without a status' : 'without an hour';
  return `${id} was ${was ?? none} when the plan was made and is ${is ?? none} now`;
}

/** Sentences in a row, each with its full stop; empty ones are left out. */
export function joinSentences(parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null && part !== '')
    .map((part) => (/[.!?]$/.test(part ?? '') ? part : `${part}.`))
    .join(' ');
}
