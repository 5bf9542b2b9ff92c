import { writes, type Change, type Plan } from '../../domain/change.ts';
import { joinSentences } from '../../render/results.ts';
import { servicePlace, type ServiceIdentity } from '../../domain/service-identity.ts';
import { quoted, shown, visible } from '../../domain/visible.ts';
import { count } from '../../render/wording.ts';
import type { Service } from '../accounts.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { isPlainStop, plainQuestion, requireYes, typedQuestion } from '../question.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** The service of a command by hand, as its plan and its question name it. */
export function describeService({ settings, client }: Service): ServiceIdentity {
  const { identity } = settings.service;
  return { ...identity, simulator: identity.simulator || client.serverInfo().isSimulator };
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
