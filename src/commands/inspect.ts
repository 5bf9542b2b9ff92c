import { judgeOpen, withVerdicts, type Verdict } from '../apply/judge-open.ts';
import { readLedger } from '../ledger/ledger.ts';
import { reduceLedger } from '../ledger/reduce.ts';
import { RATES, type Client } from '../api/client.ts';
import { TOKEN_PER_SECOND } from '../api/row.ts';
import type { Context } from '../context.ts';
import type { Allowance } from '../domain/allowance.ts';
import type { Plan } from '../domain/change.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { Knowledge } from '../domain/knowledge.ts';
import {
  formatAddress,
  KINDS,
  type Declared,
  type Observed,
  type ResolvedAccount,
} from '../domain/resource.ts';
import type { Workspace } from '../domain/workspace.ts';
import { loadDeclared } from '../files/load.ts';
import { resolveAccounts } from '../live/accounts.ts';
import { readObserved, type Scope } from '../live/read.ts';
import { buildPlan } from '../plan/build.ts';
import { isMadeBy } from '../plan/lost-create.ts';
import { connect } from './connect.ts';
import { invalidFiles } from './failure.ts';

/** What the files say, with a way to ask the service. */
export interface Opened {
  readonly workspace: Workspace;
  readonly declared: readonly Declared[];
  readonly warnings: readonly Diagnostic[];
  readonly client: Client;
}

/** A plan and everything that it was made from. */
export interface Inspection {
  readonly plan: Plan;
  readonly observed: readonly Observed[];
  readonly accounts: readonly ResolvedAccount[];
  /** The ledger, with what the lists say about its open entries. */
  readonly knowledge: Knowledge;
  /** What an apply has to do about the open entries before anything else. */
  readonly verdicts: readonly Verdict[];
  /** The service's time of the plan, epoch milliseconds. */
  readonly nowMs: number;
}

/** Loads the files and connects. Throws when anything in the files is wrong; nothing has been sent then. */
export async function openWorkspace(context: Context): Promise<Opened> {
  const loaded = await loadDeclared(context.files, { env: context.env });
  if (loaded.kind === 'invalid') throw invalidFiles(loaded.diagnostics);
  const client = await connect(context, loaded.workspace.service);
  return { workspace: loaded.workspace, declared: loaded.declared, warnings: loaded.warnings, client };
}

/** Reads the ledger and every list that matters, and builds the plan. Sends only GETs. */
export async function inspect(
  context: Context,
  opened: Opened,
  allow: ReadonlySet<Allowance>,
): Promise<Inspection> {
  const { workspace, declared, client } = opened;
  const ledger = await readLedger(context.files);
  const readStartedMs = context.clock.now();
  const accounts = await resolveUsed(opened, ledger.knowledge);
  const scopes = scopesOf(accounts, declared, ledger.knowledge);
  const onProgress = (done: number, total: number) =>
    context.output.progress(`reading lists ${done}/${total}`);
  const observed = await readObserved(client, scopes, onProgress);
  context.output.progress('');
  const settleMs = workspace.service.settleSec * 1000;
  const verdicts = judgeOpen({
    knowledge: ledger.knowledge,
    observed,
    readStartedMs,
    settleMs,
    isOf: isMadeBy,
  });
  const knowledge = reduceLedger(withVerdicts(ledger.lines, verdicts));
  const nowMs = context.clock.now() + client.skewMs();
  const plan = buildPlan({
    declared,
    observed,
    accounts,
    knowledge: inPlanTerms(knowledge, accounts, nowMs - readStartedMs),
    allow,
    policy: workspace.policy,
    nowMs,
    settleMs,
    rates: { token: TOKEN_PER_SECOND, endpoint: RATES },
  });
  const notes = [...opened.warnings, ...ledger.diagnostics, ...skewNotes(opened), ...verdictNotes(verdicts)];
  return {
    plan: { ...plan, diagnostics: [...notes, ...plan.diagnostics] },
    observed,
    accounts,
    knowledge,
    verdicts,
    nowMs,
  };
}

/**
 * Open entries bear this machine's time, and the plan is made in the service's, after the lists were read.
 * Shifted like this, a settle window ends for the plan exactly when it had ended before the reading began.
 */
function inPlanTerms(knowledge: Knowledge, accounts: readonly ResolvedAccount[], shiftMs: number): Knowledge {
  const aliasOf = new Map(accounts.map(({ accountId, alias }) => [accountId, alias]));
  const open = knowledge.open.map((entry) => ({
    ...entry,
    // An alias may be renamed while a create is on its way; the account stays the same.
    address: { ...entry.address, account: aliasOf.get(entry.accountId) ?? entry.address.account },
    sentAtMs: entry.sentAtMs + shiftMs,
  }));
  return { ...knowledge, open };
}

function verdictNotes(verdicts: readonly Verdict[]): readonly Diagnostic[] {
  return verdicts.flatMap(({ entry, words }) =>
    words === null
      ? []
      : [
          {
            severity: 'info',
            code: 'open-entry',
            message: `the ${entry.call} whose answer was lost at ${new Date(entry.sentAtMs).toISOString()} ${words}.`,
            address: formatAddress(entry.address),
          },
        ],
  );
}

/** Only accounts that something is declared or known for: the others cost requests for nothing. */
async function resolveUsed(
  { workspace, declared, client }: Opened,
  knowledge: Knowledge,
): Promise<readonly ResolvedAccount[]> {
  const aliases = new Set(declared.map((resource) => resource.address.account));
  const knownIds = new Set([
    ...[...knowledge.objects.values()].map((known) => known.accountId),
    ...knowledge.open.map((entry) => entry.accountId),
  ]);
  const used = workspace.accounts.filter(
    ({ alias, selector }) => aliases.has(alias) || (selector.by === 'id' && knownIds.has(selector.value)),
  );
  return resolveAccounts(client, used, workspace.service.platforms.primary);
}

function scopesOf(
  accounts: readonly ResolvedAccount[],
  declared: readonly Declared[],
  knowledge: Knowledge,
): readonly Scope[] {
  const wanted = new Set([
    ...declared.map((resource) => `${resource.address.account}/${resource.kind}`),
    ...[...knowledge.objects.values()].map((known) => `${known.accountId}/${known.kind}`),
    ...knowledge.open.map((entry) => `${entry.accountId}/${entry.address.kind}`),
  ]);
  return accounts.flatMap((account) =>
    KINDS.filter(
      (kind) => wanted.has(`${account.alias}/${kind}`) || wanted.has(`${account.accountId}/${kind}`),
    ).map((kind) => ({ account, kind })),
  );
}

const SKEW_LIMIT_MS = 30_000;

/** The service's clock decides what is past. An embedded simulator's is moved on purpose. */
function skewNotes({ workspace, client }: Opened): readonly Diagnostic[] {
  const skewMs = client.skewMs();
  if (workspace.service.target.kind === 'simulator' || Math.abs(skewMs) <= SKEW_LIMIT_MS) return [];
  const direction = skewMs > 0 ? 'behind' : 'ahead of';
  const message = `this machine's clock is ${Math.round(Math.abs(skewMs) / 1000)} s ${direction} the service's. Schedules are judged by the service's clock; set this machine's.`;
  return [{ severity: 'warning', code: 'clock-skew', message }];
}
