import { type ApplyReport, type Change, type Outcome, type Plan, writes } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { shown, type Visible, visible } from '../domain/visible.ts';
import { formatCommand, inShell } from '../domain/command-line.ts';
import { drawLine, paint, span, type TextStyle } from './spans.ts';

/** What a person does next: a sentence, and the command to copy. */
export interface NextStep {
  readonly words: string;
  readonly command: string;
}

/** More addresses make no command that anybody reads. */
const TARGETS_MAX = 10;

/** The commands that plan or apply again. */
export interface Again {
  /** `herald apply`, or `herald plan --out FILE` for those who review first. */
  readonly command: string;
  /** That command with the flags of this run. */
  readonly same: string;
}

/** What an apply left to do. Empty if nothing is left. The messages say what stands in the way of each change. */
export function nextSteps({ outcomes }: ApplyReport, { command, same }: Again): readonly NextStep[] {
  const isDone = ({ outcome }: Outcome) => ['applied', 'adopted', 'unchanged'].includes(outcome);
  const blocked = outcomes.filter(({ action, needs = [] }) => action === 'blocked' && needs.length > 0);
  const left = outcomes.filter((one) => !isDone(one) && !blocked.includes(one));
  const words = left.some(({ outcome }) => outcome === 'unknown')
    ? 'Do not repeat an unknown change by hand. To find out what happened, and to finish it:'
    : 'Do what the messages say. Then, to go on:';
  return [...(left.length === 0 ? [] : [{ words, command: same }]), ...allowances(blocked, command)];
}

/** One command for each set of allowances. */
function allowances(
  blocked: readonly Pick<Outcome, 'address' | 'needs'>[],
  command: string,
): readonly NextStep[] {
  const groups = new Map<string, Pick<Outcome, 'address' | 'needs'>[]>();
  for (const outcome of blocked) {
    const flags = (outcome.needs ?? []).map((need) => ` --allow ${need}`).join('');
    if (flags !== '') groups.set(flags, [...(groups.get(flags) ?? []), outcome]);
  }
  return [...groups].map(([flags, members]) => {
    const addresses = [...new Set(members.map(({ address }) => formatAddress(address)))];
    const targets = addresses.length > TARGETS_MAX ? [] : addresses.map((one) => ` --target ${inShell(one)}`);
    return {
      words: `To allow ${members.length === 1 ? 'the blocked change' : `${members.length} blocked changes`}:`,
      command: `${command}${flags}${targets.join('')}`,
    };
  });
}

/** A sentence, and its command on a line of its own, which is never wrapped. */
export function drawStep({ words, command }: NextStep, style: TextStyle): readonly Visible[] {
  const line = paint(span(shown`  ${visible(command)}`, 'strong'), style);
  return [...drawLine([span(visible(words))], style, 0, 0), line];
}

/** What to do about a drift. Empty if there is none. */
export function driftSteps(plan: Pick<Plan, 'changes' | 'diagnostics'>): readonly NextStep[] {
  const { changes } = plan;
  const differing = changes.filter(writes);
  const isOnService = ({ cause, action }: Change) => cause !== 'files' && action !== 'create';
  const blocked = changes.filter(({ action }) => action === 'blocked');
  const stopped = blocked.filter(({ needs }) => needs.length === 1 && needs[0] === 'resume');
  const [plain, kept] = [differing.length > 0, differing.some(isOnService)];
  return [
    ...(plain
      ? [
          {
            words: kept ? "To put the files' version on the service:" : 'To apply the files:',
            command: formatCommand('apply'),
          },
        ]
      : []),
    ...(kept
      ? [{ words: 'To keep what is live, in the files:', command: formatCommand('import', '--update') }]
      : []),
    ...stoppedSteps(stopped),
    ...(blocked.length > stopped.length
      ? [{ words: 'To see what the blocked ones need:', command: formatCommand('plan') }]
      : []),
  ];
}

/** Both ways out for what a person stopped. An import writes the status of what is paused, and of nothing else. */
function stoppedSteps(stopped: readonly Change[]): readonly NextStep[] {
  if (stopped.length === 0) return [];
  return [
    {
      words:
        'To keep it stopped: declare it, for instance with `status: paused`. For what is paused, this does it:',
      command: formatCommand('import', '--update'),
    },
    ...allowances(stopped, formatCommand('apply')).map(({ command }) => ({
      words: 'To start it again:',
      command,
    })),
  ];
}
