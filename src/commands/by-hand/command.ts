import { reportOf } from '../../apply/merge-reports.ts';
import type { Context } from '../../context.ts';
import { canonical } from '../../domain/digest.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import { LOCK_PATH } from '../../ledger/ledger.ts';
import type { Answer, Wish } from '../../plan/by-hand/answer.ts';
import { renderJson } from '../../render/json.ts';
import { renderApplyText } from '../../render/report-text.ts';
import { quoted } from '../../render/visible.ts';
import { carryOut } from '../carry-out.ts';
import { EXIT } from '../exit-codes.ts';
import { applyExit } from '../exit-of.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat } from '../formats.ts';
import { drawPlan } from '../plan.ts';
import { chooseAccount, openService, type Service } from '../service.ts';
import { inspectSettled } from '../settling.ts';
import { byHandSource, type ByHandInspection, type ByHandSource } from './source.ts';

export interface ByHandFlags {
  readonly account: string | undefined;
  readonly yes: boolean;
}

/**
 * `herald campaigns activate|pause|archive|unsend ID` and `herald broadcasts pause|resume|unsend ID`: one change
 * that a person asks for, by the engine of apply: said beforehand, on record, settled and read back.
 */
export async function byHandCommand(context: Context, wish: Wish, flags: ByHandFlags): Promise<number> {
  const format = chooseFormat(context, ['text', 'json']);
  requireId(wish);
  const service = await openService(context);
  const account = byAlias(service, await chooseAccount(service, flags.account));
  const settleMs = service.settings.service.settleSec * 1000;
  const source = byHandSource({ context, client: service.client, account, settleMs, wish });
  const release = await context.files.lock(LOCK_PATH);
  try {
    const inspection = await inspectSettled(context, source);
    const refusal = refusalOf(inspection);
    if (refusal !== null) throw refusal;
    if (hasNothingToDo(inspection)) return sayItIsSo(context, inspection, format);
    return await agreeAndDo(context, source, inspection, flags.yes, format);
  } finally {
    await release();
  }
}

function requireId({ kind, liveId }: Wish): void {
  if (/^\d{1,19}$/.test(liveId)) return;
  throw new CommandError(
    'bad-id',
    `"${liveId}" is not the id of a ${kind}: that is a number of up to 19 digits. Nothing was sent.`,
    `herald ${kind}s list shows the ids.`,
  );
}

/** An account given by its id goes by its alias in the workspace: the files and the ledger know it by that. */
function byAlias({ settings }: Service, account: ResolvedAccount): ResolvedAccount {
  const known = settings.accounts.find(
    ({ selector }) => selector.by === 'id' && selector.value === account.accountId,
  );
  return known === undefined ? account : { ...account, alias: known.alias };
}

function refusalOf(inspection: ByHandInspection): CommandError | null {
  const { answer, change } = inspection;
  if (answer.kind !== 'cannot' && answer.kind !== 'held') return null;
  return new CommandError(
    answer.kind,
    `Nothing was sent for ${whichOf(inspection)}. ${answer.reason}`,
    answer.hint,
    answer.kind === 'held' ? EXIT.blocked : EXIT.failed,
    { address: change.address, live_id: change.live_id, status: inspection.target.live.status ?? null },
  );
}

/** What an earlier run left open is brought to its end, even where the status shows already. */
function hasNothingToDo({ answer, verdicts }: ByHandInspection): boolean {
  return answer.kind === 'so' && !verdicts.some(({ conclusion }) => conclusion !== null);
}

function sayItIsSo(context: Context, { answer, change, plan }: ByHandInspection, format: Format): number {
  const message = answer.kind === 'so' ? answer.reason : '';
  const { address, action, live_id } = change;
  const report = reportOf([{ address, action, live_id, outcome: 'unchanged', message }]);
  if (plan.diagnostics.length > 0) context.output.say(drawPlan(context, plan, 'text', 'plan'));
  context.output.say(message);
  context.output.result(format === 'json' ? renderJson(report) : renderApplyText(report, context.output));
  return EXIT.done;
}

type Format = 'text' | 'json';

async function agreeAndDo(
  context: Context,
  source: ByHandSource,
  inspection: ByHandInspection,
  yes: boolean,
  format: Format,
): Promise<number> {
  context.output.say(drawPlan(context, inspection.plan, 'text', 'plan'));
  if (inspection.answer.kind === 'so') context.output.say(inspection.answer.reason);
  const agreed = yes || !sendsSomething(inspection) ? inspection : await agree(context, source, inspection);
  const byHand = { atOnce: leavesAtOnce(agreed.answer) };
  const executed = await context.protect(() => carryOut(context, { ...source, byHand }, agreed));
  const { report } = executed;
  context.output.result(format === 'json' ? renderJson(report) : renderApplyText(report, context.output));
  return applyExit(executed, agreed.plan, context.interrupted.aborted);
}

async function agree(
  context: Context,
  source: ByHandSource,
  inspection: ByHandInspection,
): Promise<ByHandInspection> {
  if (!context.interactive)
    throw new CommandError(
      'needs-yes',
      'There is no terminal to ask on, so nothing was changed.',
      'Read what it would do, then use --yes.',
    );
  if (!(await context.confirm(questionOf(inspection))))
    throw new CommandError('declined', 'Nothing was changed.');
  // Reading takes a person longer than a list stays true: what was agreed to must still be what is live.
  const fresh = await source.inspect();
  if (agreedTo(fresh) === agreedTo(inspection)) return fresh;
  throw new CommandError(
    'stale-plan',
    `It changed while it was read, so nothing was sent. ${'reason' in fresh.answer ? fresh.answer.reason : fresh.change.reasons.join(' ')}`,
    'Run the command again.',
    EXIT.blocked,
  );
}

function sendsSomething({ answer, verdicts }: ByHandInspection): boolean {
  return answer.kind === 'go' || verdicts.some(({ repeat }) => repeat);
}

/** What a yes stands for: the calls, and whether a broadcast leaves at once. */
function agreedTo({ answer, change }: ByHandInspection): string {
  return canonical([change.action, change.steps, leavesAtOnce(answer)]);
}

function leavesAtOnce(answer: Answer): boolean {
  return answer.kind === 'go' && answer.atOnce;
}

function questionOf(inspection: ByHandInspection): string {
  const { answer, change } = inspection;
  if (answer.kind !== 'go') return `Finish an earlier change of ${whichOf(inspection)}?`;
  const verb =
    change.action === 'recall' ? 'Unsend' : change.action.replace(/^./, (letter) => letter.toUpperCase());
  return [`${verb} ${whichOf(inspection)}?`, answer.mind].filter((part) => part !== '').join(' ');
}

/** `campaign "Welcome" (77) on account alice`. */
function whichOf({ target }: ByHandInspection): string {
  const { kind, live } = target;
  const name = live.name == null ? 'without a name' : quoted(live.name);
  return `${kind} ${name} (${live.id}) on account ${target.account}`;
}
