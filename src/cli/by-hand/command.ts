import { KIND_ROWS } from '../../domain/kind.ts';
import { ServiceError } from '../../api/errors.ts';
import { IncompleteScanError } from '../../api/pages/incomplete.ts';
import { reportOf } from '../../apply/merge-reports.ts';
import type { Context } from '../context.ts';
import { canonical } from '../../domain/digest.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import type { Lease } from '../../domain/lease.ts';
import { LedgerReader } from '../../ledger/reader.ts';
import { underLease } from '../../ledger/under-lease.ts';
import type { LeaseWait } from '../../ledger/wait-for-lease.ts';
import type { Answer, Wish } from '../../plan/by-hand/answer.ts';
import { renderJson } from '../../render/json.ts';
import { renderApplyText } from '../../render/report-text.ts';
import { carryOut } from '../../reconcile/carry-out.ts';
import { EXIT } from '../exit-codes.ts';
import { applyExit } from '../exit-of.ts';
import { CommandError } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { drawPlan } from '../resources/plan.ts';
import { idOfTyped, typedTarget, type TypedObject } from '../addresses.ts';
import { chooseAccount, openService, type Service } from '../accounts.ts';
import { lookUntilResolved } from '../../reconcile/look-until-resolved.ts';
import { byHandSource, type ByHandInspection, type ByHandSource } from '../../reconcile/by-hand/source.ts';
import { reconcilePorts } from '../reporter.ts';
import { leaseWait, lockTimeoutMs } from '../lease-wait.ts';
import { stopByHand } from './stop-command.ts';
import { idToStart, readFiles } from './start.ts';
import { OpenCreates, type StoppedObject } from '../../reconcile/by-hand/made-by-open-creates.ts';
import type { StoppedName } from '../../reconcile/events.ts';
import type { LiveId } from '../../domain/ids.ts';
import { isStop } from '../../reconcile/by-hand/stop-now.ts';
import { StartUnderWayError } from '../../reconcile/by-hand/stop-run.ts';
import { askFor, questionOf, refusalOf, reportWithAnswer, type Ended } from './words.ts';
import { warningLine } from '../notice.ts';

export interface ByHandFlags {
  readonly account: string | undefined;
  readonly yes: boolean;
}

/**
 * `herald campaigns activate|pause|archive|recall ID` and `herald broadcasts pause|resume|recall ID`: one change by
 * hand, with the engine of apply. An address names the object as well as its id. It is shown first, recorded, resolved and verified.
 */
export async function byHandCommand(context: Context, typed: Wish, flags: ByHandFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const { kind, action } = typed;
  const command = `${KIND_ROWS[kind].plural} ${action}`;
  const target = typedTarget(kind, typed.liveId, flags.account, command);
  const service = await openService(context, stops(action) ? 'stop' : 'apply');
  const account = byAlias(service, await accountOf(context, service, target.account, typed));
  const settleMs = service.settings.service.settleSec * 1000;
  const { client, settings } = service;
  const inFiles = stops(action) ? {} : { inFiles: await readFiles(context) };
  const asked = { ports: reconcilePorts(context), client, account, settings, settleMs, ...inFiles };
  const changeOne = (liveId: LiveId, yes: boolean, lockTimeout = lockTimeoutMs(context)) => {
    const wish: Wish = { ...typed, liveId };
    const wait = { ...leaseWait(context), timeoutMs: lockTimeout };
    const change = (leaseWanted?: LeaseWait) =>
      changeByHand(context, byHandSource({ ...asked, wish }), { wish, yes }, leaseWanted);
    return isStop(wish) ? stopByHand(context, { ...asked, wish, yes }, change) : change(wait);
  };
  const idOfTarget = () =>
    asked.inFiles === undefined || target.object.by === 'id'
      ? idOfTyped(client, account, kind, target.object, command)
      : idToStart(context, { ...asked, kind, inFiles: asked.inFiles }, target.object.name, command);
  const end = stops(action)
    ? await stopWithCreates(
        { ...asked, kind },
        { action, object: target.object, idOfTarget },
        // The run that made it is about to end, and a recall needs its lease.
        (liveId, isMade) => changeOne(liveId, flags.yes, isMade ? settleMs : undefined),
      )
    : await changeOne(await idOfTarget(), flags.yes);
  const { report, code } = end;
  context.output.result(format === 'json' ? renderJson(report) : renderApplyText(report, context.output));
  return code;
}

interface TypedStop {
  readonly action: StoppedName['action'];
  readonly object: TypedObject;
  readonly idOfTarget: () => Promise<LiveId>;
}

/** Why nothing was sent, where an open create of the name may still make something to stop. */
const NOT_THERE: readonly string[] = ['no-match', 'cannot'];

/** Stops what is there at once, then waits for open creates of the name, and stops what they made. */
async function stopWithCreates(
  asked: Omit<StoppedObject, 'name'>,
  { action, object, idOfTarget }: TypedStop,
  stopOne: (liveId: LiveId, isMade: boolean) => Promise<Ended>,
): Promise<Ended> {
  const { ports, account, kind } = asked;
  const creates = new OpenCreates({ ...asked, name: object.by === 'name' ? object.name : null });
  await creates.look();
  const ends: Ended[] = [];
  let failure: unknown = null;
  try {
    creates.liveId = await idOfTarget();
    await creates.look();
    ends.push(await stopOne(creates.liveId, false));
  } catch (error) {
    if (!(error instanceof CommandError) || !NOT_THERE.includes(error.failure.code)) throw error;
    failure = error;
  }
  await creates.look();
  const made = creates.areFound ? await creates.made() : [];
  for (const id of made ?? []) ends.push(await stopOne(id, true));
  if (made === null) {
    const stop = { kind, action, name: creates.name, account: account.alias };
    ports.report({ kind: 'create-without-end', stop });
  } else if (ends.length === 0) throw failure;
  const codes = made === null ? [EXIT.unknown] : ends.map(({ code }) => code);
  const worst = codes.find((code) => code === EXIT.unknown) ?? codes.find((code) => code !== EXIT.done);
  return { report: reportOf(ends.flatMap(({ report }) => report.outcomes)), code: worst ?? EXIT.done };
}

/** A recall stops something as well, although it is not sent without the list. */
function stops(action: Wish['action']): action is StoppedName['action'] {
  return action === 'pause' || action === 'archive' || action === 'recall';
}

async function changeByHand(
  context: Context,
  source: ByHandSource,
  { wish, yes }: { readonly wish: Wish; readonly yes: boolean },
  wait: LeaseWait | undefined,
): Promise<Ended> {
  const work = async (lease: Lease) => {
    const refuseToWait = ({ mayBeUndone }: ByHandInspection) =>
      mayBeUndone && isStop(wish) ? Promise.reject(new StartUnderWayError()) : Promise.resolve();
    const inspection = await lookUntilResolved(reconcilePorts(context), source, { meanwhile: refuseToWait });
    await refuseToWait(inspection);
    const refusal = refusalOf(inspection);
    if (refusal !== null) throw refusal;
    if (hasNothingToDo(inspection)) return reportAlreadyDone(context, inspection);
    return agreeAndDo(context, source, inspection, { yes, lease });
  };
  return underLease(context.state.leases, work, wait);
}

/** A stop also works without the list of accounts. If that cannot be read, the ledger has the account of an alias. */
async function accountOf(
  context: Context,
  service: Service,
  given: string | undefined,
  wish: Wish,
): Promise<ResolvedAccount> {
  try {
    return await chooseAccount(service, given, { unchecked: true });
  } catch (error) {
    const isUnread = error instanceof ServiceError || error instanceof IncompleteScanError;
    if (!isUnread || !isStop(wish)) throw error;
    const { accountIds } = await new LedgerReader(context.state.ledger, service.client.address).read();
    const alias = given ?? service.settings.accounts[0]?.alias ?? '';
    const accountId = accountIds.get(alias);
    if (accountId === undefined) throw error;
    context.output.fail(
      warningLine(
        'accounts-not-read',
        shown`The list of accounts cannot be read. Using account ${accountId} for ${alias}, as in earlier runs.`,
      ),
    );
    return { alias, accountId };
  }
}

/** Gives an account that was named by id its alias, because files and ledger use the alias. */
function byAlias({ settings }: Service, account: ResolvedAccount): ResolvedAccount {
  if (settings.accounts.some(({ alias }) => alias === account.alias)) return account;
  const known = settings.accounts.find(
    ({ selector }) => selector.by === 'id' && selector.value === account.accountId,
  );
  return known === undefined ? account : { ...account, alias: known.alias };
}

/** An unconfirmed request of an earlier run is resolved even if the status is already right. */
function hasNothingToDo({ answer, verdicts }: ByHandInspection): boolean {
  return answer.kind === 'so' && !verdicts.some(({ conclusion }) => conclusion !== null);
}

function reportAlreadyDone(context: Context, { answer, change, plan }: ByHandInspection): Ended {
  const message = answer.kind === 'so' ? answer.reason : '';
  const { address, action, live_id } = change;
  const report = reportOf([{ address, action, live_id, outcome: 'unchanged', message }]);
  if (plan.diagnostics.length > 0) context.output.say(drawPlan(context, plan));
  context.output.say(visibleProse(message));
  return { report, code: EXIT.done };
}

async function agreeAndDo(
  context: Context,
  source: ByHandSource,
  inspection: ByHandInspection,
  { yes, lease }: { readonly yes: boolean; readonly lease: Lease },
): Promise<Ended> {
  context.output.say(drawPlan(context, inspection.plan));
  if (inspection.answer.kind === 'so') context.output.say(visibleProse(inspection.answer.reason));
  const agreed = yes || !sendsSomething(inspection) ? inspection : await agree(context, source, inspection);
  const byHand = { atOnce: leavesAtOnce(agreed.answer), askedAt: agreed.askedAt };
  const executed = await context.protect(() =>
    carryOut(reconcilePorts(context), { ...source, byHand }, agreed, lease),
  );
  const report = reportWithAnswer(executed.report, agreed.answer);
  return { report, code: applyExit(executed, context.interrupted.aborted) };
}

async function agree(
  context: Context,
  source: ByHandSource,
  inspection: ByHandInspection,
): Promise<ByHandInspection> {
  await askFor(context, questionOf(inspection));
  // The list may be too old after the answer. The agreed change must still fit what is live.
  const fresh = await source.look();
  if (agreedTo(fresh) === agreedTo(inspection)) return fresh;
  throw new CommandError(
    'stale-plan',
    `It changed while Herald waited for your answer. Nothing was sent. ${'reason' in fresh.answer ? fresh.answer.reason : fresh.change.reasons.join(' ')}`,
    'Run the command again.',
    EXIT.blocked,
  );
}

function sendsSomething({ answer, verdicts }: ByHandInspection): boolean {
  return answer.kind === 'go' || verdicts.some(({ repeat }) => repeat);
}

/** The agreed change: its requests, and whether a broadcast is sent immediately. */
function agreedTo({ answer, change }: ByHandInspection): string {
  return canonical([change.action, change.steps, leavesAtOnce(answer)]);
}

function leavesAtOnce(answer: Answer): boolean {
  return answer.kind === 'go' && answer.atOnce;
}
