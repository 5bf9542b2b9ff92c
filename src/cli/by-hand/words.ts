import type { Change, Plan } from '../../domain/change.ts';
import type { Observed } from '../../domain/resource.ts';
import { servicePlace } from '../../domain/service-identity.ts';
import { quoted, visible, type Visible } from '../../domain/visible.ts';
import type { Answer } from '../../plan/by-hand/answer.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';

/** One change by hand, as people are told of it. */
export interface Told {
  readonly answer: Answer;
  readonly change: Change;
  readonly plan: Pick<Plan, 'service'>;
  /** Null where it cannot be read. */
  readonly target: Observed | null;
}

/** Why the change is not made; null where it is. */
export function refusalOf(told: Told): CommandError | null {
  const { answer, change, target } = told;
  if (answer.kind !== 'cannot' && answer.kind !== 'held') return null;
  return new CommandError(
    answer.kind,
    `Nothing was sent for ${whichOf(told)}. ${answer.reason}`,
    answer.hint,
    answer.kind === 'held' ? EXIT.blocked : EXIT.failed,
    { address: change.address, live_id: change.live_id, status: target?.live.status ?? null },
  );
}

/** The question before the change, with the one thing to agree to beside it. */
export function questionOf(told: Told): Visible {
  const { answer, change } = told;
  const verb =
    change.action === 'recall' ? 'Unsend' : change.action.replace(/^./, (letter) => letter.toUpperCase());
  const mind = answer.kind === 'go' ? answer.mind : '';
  return visible([`${verb} ${whereOf(told)}?`, mind].filter((part) => part !== '').join(' '));
}

/** `campaign "Welcome" (77) on account alice`. */
function whichOf({ change: { address, live_id: id }, target }: Told): string {
  const name = target === null ? address.name : (target.live.name ?? '');
  return `${address.kind} ${name === '' ? 'without a name' : quoted(name)} (${id ?? ''}) on account ${address.account}`;
}

/** The same, with the service that it is asked of. */
export function whereOf(told: Told): string {
  return `${whichOf(told)} at ${visible(servicePlace(told.plan.service))}`;
}

/** Throws where nobody can be asked, or says no. */
export async function askFor(
  { interactive, confirm }: { interactive: boolean; confirm: (question: Visible) => Promise<boolean> },
  question: Visible,
): Promise<void> {
  if (!interactive)
    throw new CommandError(
      'needs-yes',
      'There is no terminal to ask on, so nothing was changed.',
      'Read what it would do, then use --yes.',
    );
  if (!(await confirm(question))) throw new CommandError('declined', 'Nothing was changed.');
}
