import { writes, type Change, type Plan } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { type Again, describeResults, joinSentences } from '../render/results.ts';
import { KIND_ROWS } from '../domain/resource.ts';
import { servicePlace } from '../domain/service-identity.ts';
import { quoted, shown, visible } from '../domain/visible.ts';
import type { Result } from '../engine/run.ts';
import { renderApplyText } from '../render/report-text.ts';
import { count } from '../render/wording.ts';
import type { Context } from './context.ts';
import { applyExit } from './exit-of.ts';
import { textFlag } from './flags.ts';
import { isPlainStop, plainQuestion, requireYes, typedQuestion } from './question.ts';

/** For changes by hand, which take an id or an address. */
export const byHandAccountFlag = textFlag(
  '--account <name>',
  'alias or id (needed for an id if the workspace has several accounts)',
);

/** What a change by hand came to, for each format. `findAgain`: how to ask once more for the object of a result. */
export function reportByHand(
  { output, interrupted }: Context,
  results: readonly Result[],
  findAgain: (result: Result) => Again = repeatByHand,
) {
  const report = describeResults(results, findAgain);
  return {
    exit: applyExit(results, interrupted.aborted),
    json: () => ({ ...report }),
    text: () => renderApplyText(report, output),
  };
}

function repeatByHand({ change: { address, action }, liveId }: Result): Again {
  const { kind, account, name } = address;
  const what = liveId === null ? [`${account}/${kind}/${name}`] : [liveId, '--account', account];
  return { command: formatCommand(KIND_ROWS[kind].plural, action, ...what), mayRepeat: true };
}

/** Throws if nothing of what a person asked for can be done. */
export function refuseBlocked(changes: readonly Change[], isHeld = false): void {
  const [first] = changes;
  if (first === undefined || changes.some(({ action }) => action !== 'blocked')) return;
  const { address, live_id: id, reasons } = first;
  throw new HeraldError(
    isHeld ? 'held' : 'cannot',
    joinSentences([`Nothing was sent for ${nameObject(first)}`, ...reasons]),
    null,
    { exit: isHeld ? EXIT.blocked : EXIT.failed, details: { address, live_id: id } },
  );
}

/** Asks before changes by hand, with all that they do. Throws without a terminal, and for everything but a yes. */
export async function askForChanges(
  context: Context,
  plan: Pick<Plan, 'changes' | 'service'>,
): Promise<void> {
  const changes = plan.changes.filter(writes);
  const [first] = changes;
  if (first === undefined) return;
  const verb = first.action.replace(/^./, (letter) => letter.toUpperCase());
  const what = changes.length === 1 ? nameObject(first) : count(changes.length, first.address.kind);
  const effects = changes.length === 1 ? joinSentences(first.reasons) : '';
  const text = visible(`${verb} ${what} at ${servicePlace(plan.service)}? ${effects}`.trimEnd());
  const question = changes.every(isPlainStop)
    ? plainQuestion(text)
    : typedQuestion(text, changes.length === 1 ? `${first.action} it` : `${first.action} all of them`);
  await requireYes(context, question, 'Nothing was changed.', 'Review the change, then add --yes.');
}

/** `campaign "Welcome" (77) on account alice`. */
export function nameObject({ address: { account, kind, name }, live_id: id }: Change): string {
  const named = name === '' ? 'without a name' : String(quoted(name));
  return String(shown`${kind} ${visible(named)} (${id ?? ''}) on account ${account}`);
}
