import type { Change, DriftCause, Plan } from '../domain/change.ts';
import { isStopped } from '../domain/status.ts';
import { digestDeclared, digestHidden, digestLive, parseShown } from '../plan/compare/content.ts';
import { indexSubjects } from '../plan/facts.ts';
import type { RequestRow } from '../state/shapes.ts';
import type { State } from '../state/state.ts';
import type { Look } from './look.ts';

type Difference = ReturnType<ReturnType<typeof indexSubjects>>;

/** How far back the create of a live version is looked for. */
const HISTORY_MAX = 50;

/** Adds to each difference what it comes from, and when its live version was applied, as far as the state knows. */
export async function explainDrift(state: Pick<State, 'history'>, { plan, facts }: Look): Promise<Plan> {
  const findSubject = indexSubjects(facts);
  const accountIds = new Map(facts.accounts.map(({ alias, accountId }) => [alias, accountId]));
  const explain = async (change: Change): Promise<Change> => {
    const findCause = CAUSES[change.action];
    const accountId = accountIds.get(change.address.account);
    if (findCause === undefined || accountId === undefined) return change;
    const { kind, name } = change.address;
    const past = await state.history({ address: { kind, name, account_id: accountId }, limit: HISTORY_MAX });
    const applied = past.find((request) => isCreated(request) && request.live_id === change.live_id);
    const last =
      applied?.ended_at == null
        ? {}
        : { last_applied: { at: new Date(applied.ended_at).toISOString(), who: applied.who } };
    return { ...change, cause: findCause(findSubject(change), past), ...last };
  };
  const changes: Change[] = [];
  for (const change of plan.changes) changes.push(await explain(change));
  return { ...plan, changes };
}

type FindCause = (it: Difference, past: readonly RequestRow[]) => DriftCause;

const CAUSES: Readonly<Partial<Record<Change['action'], FindCause>>> = {
  create: (_, past) => (past.some(isCreated) ? 'service' : 'files'),
  replace: findContentCause,
  activate: findStopCause,
  resume: findStopCause,
  pause: findStartCause,
  archive: findStartCause,
  recall: () => 'files',
};

/** What a difference comes from that such a change would end, where the past does not tell. */
export function findCause(action: keyof typeof CAUSES, it: Difference): DriftCause {
  return CAUSES[action]?.(it, []) ?? 'unknown';
}

/**
 * Since the create, or since the two were last equal:
 *
 * | the file                  | the live object            | cause   |
 * |---------------------------|----------------------------|---------|
 * | the same                  | differs                    | service |
 * | differs                   | the same                   | files   |
 * | differs                   | differs                    | both    |
 * | anything that the state does not know                  | unknown |
 */
function findContentCause({ declared, object, row }: Difference): DriftCause {
  const last = parseShown(row?.shown).agreed ?? row?.declared_digest ?? null;
  const live = object === undefined ? null : digestLive(object);
  if (declared === undefined || last === null || live === null) return 'unknown';
  // The service never shows what this digest stands for, so only the file can have changed it.
  const isSameHidden = !row?.hidden_digest || row.hidden_digest === digestHidden(declared);
  const isSameFile = digestDeclared(declared) === last && isSameHidden;
  const isSameLive = live === last;
  if (isSameFile) return isSameLive ? 'unknown' : 'service';
  return isSameLive ? 'files' : 'both';
}

/** The file wants it to run, and it is stopped. */
function findStopCause({ object, row }: Difference): DriftCause {
  if (row === null || object === undefined) return 'unknown';
  if (row.status_by === 'hand' || row.status_set !== object.live.status) return 'service';
  return row.status_why === 'declared' ? 'files' : 'unknown';
}

/** The file wants it to be stopped, and it runs. */
function findStartCause({ object, row }: Difference): DriftCause {
  if (row?.status_set == null || object === undefined) return 'unknown';
  return isStopped({ status: row.status_set }) ? 'service' : 'files';
}

function isCreated({ operation, outcome }: RequestRow): boolean {
  return operation.endsWith('.create') && (outcome === 'done' || outcome === 'adopted');
}
