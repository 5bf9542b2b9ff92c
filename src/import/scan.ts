import { serviceNowMs } from '../apply/step-context.ts';
import type { Plan } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { Knowledge } from '../domain/knowledge.ts';
import type { KnownWords } from '../domain/known-words.ts';
import {
  KINDS,
  type Declared,
  type Observed,
  type PlaceOf,
  type ResolvedAccount,
} from '../domain/resource.ts';
import type { LedgerReading } from '../ledger/reader.ts';
import { placedElsewhere, resolveAccounts } from '../live/accounts.ts';
import { OtherPlatformError } from '../live/platform-of.ts';
import { readObserved } from '../live/read.ts';
import { namedAccounts } from '../live/named-accounts.ts';
import { ensureTimesKnown } from '../live/hear-clock.ts';
import { buildPlan } from '../plan/build.ts';
import { ALL_READABLE, type Unreadable } from '../plan/guards/unreadable.ts';
import { EVERYTHING } from '../plan/targets.ts';
import { ReconcileError } from '../errors.ts';
import type { Opened } from '../source.ts';
import { refuseMovedSince } from '../moved-alias.ts';
import { settingsOfPlans } from '../plan-settings.ts';
import type { ReconcilePorts } from '../ports.ts';

/** Live state of the imported accounts, and the declared resources. */
export interface Scan {
  readonly accounts: readonly ResolvedAccount[];
  readonly observed: readonly Observed[];
  readonly declared: readonly Declared[];
  /** The service's time, in epoch milliseconds. */
  readonly nowMs: number;
  readonly knownWords: KnownWords;
  /** Lines of the ledger that cannot be read. With one of them, each object may be about to change. */
  readonly unreadable: Unreadable;
}

/** Reads all campaigns and broadcasts of the accounts, with archived ones. Sends only GETs. */
export async function scanAccounts(
  ports: ReconcilePorts,
  opened: Opened,
  names: readonly string[],
  known: LedgerReading,
): Promise<Scan> {
  const { workspace, client } = opened;
  const wanted = new Set(namedAccounts(workspace, names).map(({ alias }) => alias));
  const chosen = workspace.accounts.filter(({ alias }) => wanted.has(alias));
  const unknown = [...wanted].filter((alias) => !chosen.some((account) => account.alias === alias));
  if (unknown.length > 0 || chosen.length === 0) throw noAlias(unknown);
  const { primary } = workspace.service.platforms;
  // An account that is named is refused instead.
  const leaveOut = (sentence: string) => ports.report({ kind: 'left-out', sentence });
  const onLeftOut = names.length === 0 ? leaveOut : undefined;
  const resolved = await resolveAccounts(client, chosen, primary, { onLeftOut });
  refuseMovedSince(opened, resolved, known);
  const { accounts, observed } = await readServed(ports, opened, resolved, onLeftOut);
  ports.report({ kind: 'idle' });
  await ensureTimesKnown(client, known.knowledge);
  const nowMs = serviceNowMs({ client, clock: ports.clock });
  const { knownWords } = workspace.service;
  const declared = ofAccounts(opened.declared, accounts);
  return { accounts, observed, declared, nowMs, knownWords, unreadable: known };
}

/** Reads the accounts, without those that turn out to be on another platform. */
async function readServed(
  ports: ReconcilePorts,
  opened: Opened,
  accounts: readonly ResolvedAccount[],
  onLeftOut: ((sentence: string) => void) | undefined,
): Promise<Pick<Scan, 'accounts' | 'observed'>> {
  const { workspace, client } = opened;
  const scopes = accounts.flatMap((account) => KINDS.map((kind) => ({ account, kind })));
  const onProgress = (done: number, total: number) => ports.report({ kind: 'reading', done, total });
  try {
    const { primary } = workspace.service.platforms;
    return { accounts, observed: await readObserved(client, scopes, primary, onProgress) };
  } catch (error) {
    if (!(error instanceof OtherPlatformError)) throw error;
    const served = accounts.filter(({ alias }) => alias !== error.alias);
    if (onLeftOut === undefined || served.length === accounts.length || served.length === 0)
      throw placedElsewhere(error, workspace.accounts);
    onLeftOut(error.message);
    return readServed(ports, opened, served, onLeftOut);
  }
}

/** The error for an account without an alias, which files need. */
function noAlias(ids: readonly string[]): ReconcileError {
  const what =
    ids.length === 0
      ? 'The workspace has no accounts, and files need their aliases.'
      : `${ids.join(', ')} has no alias, and files need one.`;
  return new ReconcileError(
    'account-without-alias',
    what,
    `Add it to \`accounts:\` of herald.yaml, as in: alice: { id: "101" }. To see the accounts: ${formatCommand('accounts', 'list')}`,
  );
}

export function ofAccounts(
  declared: readonly Declared[],
  accounts: readonly ResolvedAccount[],
): readonly Declared[] {
  const aliases = new Set(accounts.map(({ alias }) => alias));
  return declared.filter(({ address }) => aliases.has(address.account));
}

/** The plan for these accounts with these declared resources. */
export function planFor(
  { workspace, client }: Opened,
  { accounts, observed, nowMs }: Scan,
  knowledge: Knowledge,
  files: { readonly declared: readonly Declared[]; readonly placeOf: PlaceOf },
): Plan {
  return buildPlan({
    declared: files.declared,
    observed,
    accounts,
    knowledge,
    // No run carries out this plan. What an unreadable line may be about is left out before that (unfinished.ts).
    unreadable: ALL_READABLE,
    allow: new Set(workspace.allow),
    placeOf: files.placeOf,
    nowMs,
    targeting: EVERYTHING,
    ...settingsOfPlans(workspace, client),
  });
}
