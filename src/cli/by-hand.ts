import { writes, type Change, type Plan } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { type Again, describeResults, joinSentences } from '../render/results.ts';
import type { Question } from '../domain/ports.ts';
import { KIND_ROWS } from '../domain/resource.ts';
import { servicePlace } from '../domain/service-identity.ts';
import { quoted, shown, visible } from '../domain/visible.ts';
import type { Result } from '../engine/run.ts';
import { summarise } from '../plan/plan.ts';
import { renderApplyText } from '../render/report-text.ts';
import { count } from '../render/wording.ts';
import type { Context } from './context.ts';
import { applyExit } from './exit-of.ts';
import { textFlag } from './flags.ts';
import { drawPlanText } from './plan-output.ts';
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

/** Shows changes by hand, and asks once. Throws if none of them can be done. */
export async function agreeByHand(
  context: Context,
  { changes, service }: Pick<Plan, 'changes' | 'service'>,
  { yes, isHeld = false }: { readonly yes: boolean; readonly isHeld?: boolean },
): Promise<void> {
  const [first] = changes;
  if (first === undefined) return;
  if (changes.every(({ action }) => action === 'blocked')) throw refuseChange(first, isHeld);
  const writing = changes.filter(writes);
  if (writing.length === 0) {
    context.output.say(visible(`${nameObject(first)}: ${joinSentences(first.reasons)}`));
    return;
  }
  const plan: Plan = {
    schema: 'herald/plan/1',
    service,
    changes: [...changes],
    summary: summarise(changes),
    diagnostics: [],
    eta_sec: 0,
  };
  context.output.say(drawPlanText(context, plan));
  if (yes) return;
  const question = askForChanges(writing, service);
  await requireYes(context, question, 'Nothing was changed.', 'Review the change, then add --yes.');
}

/** `isHeld`: a person must do or decide something else first; otherwise, its present state does not allow it. */
function refuseChange(change: Change, isHeld: boolean): HeraldError {
  const { address, live_id, reasons } = change;
  return new HeraldError(
    isHeld ? 'held' : 'cannot',
    joinSentences([`Nothing was sent for ${nameObject(change)}`, ...reasons]),
    null,
    { exit: isHeld ? EXIT.blocked : EXIT.failed, details: { address, live_id } },
  );
}

/** The question about changes, with all that they do. */
function askForChanges(changes: readonly Change[], service: Plan['service']): Question {
  const [first] = changes;
  const action = first?.action ?? 'change';
  const verb = action.replace(/^./, (letter) => letter.toUpperCase());
  const isOne = first !== undefined && changes.length === 1;
  const what = isOne ? nameObject(first) : count(changes.length, first?.address.kind ?? 'change');
  const effects = isOne ? joinSentences(first.reasons) : '';
  const text = visible(`${verb} ${what} at ${servicePlace(service)}? ${effects}`.trimEnd());
  if (changes.every(isPlainStop)) return plainQuestion(text);
  return typedQuestion(text, isOne ? `${action} it` : `${action} all of them`);
}

/** `campaign "Welcome" (77) on account alice`. */
function nameObject({ address: { account, kind, name }, live_id: id }: Change): string {
  const named = name === '' ? 'without a name' : String(quoted(name));
  return String(shown`${kind} ${visible(named)} (${id ?? ''}) on account ${account}`);
}
