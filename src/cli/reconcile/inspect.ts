import { judgeOpen, verdictLines, type Verdict } from '../../apply/judge-open.ts';
import { serviceNowMs, type ByHand } from '../../apply/step-context.ts';
import type { BeginUploads } from '../../apply/upload-media.ts';
import { Ages } from '../../ledger/ages.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { LedgerReader } from '../../ledger/reader.ts';
import { knowledgeWith } from '../../ledger/with-added.ts';
import type { Client } from '../../api/client.ts';
import type { Context } from '../context.ts';
import type { Allowance } from '../../domain/allowance.ts';
import type { Plan } from '../../domain/change.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { PutBytes } from '../../domain/ports.ts';
import type { Knowledge, OpenEntry } from '../../domain/knowledge.ts';
import {
  formatAddress,
  KINDS,
  type Declared,
  type Observed,
  type PlaceOf,
  type ResolvedAccount,
} from '../../domain/resource.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { shown } from '../../domain/visible.ts';
import { loadDeclared } from '../../workspace/load.ts';
import { resolveAccounts } from '../../live/accounts.ts';
import { hearClock } from '../../live/hear-clock.ts';
import { readObserved, type Scope } from '../../live/read.ts';
import { buildPlan } from '../../plan/build.ts';
import { likenessTo } from '../../plan/lost-create.ts';
import {
  protectionNotes,
  protectionRecords,
  type ProtectionRecord,
} from '../../plan/guards/protection-records.ts';
import { coverage, selectionOf, type Selection, type Targeting } from '../../plan/targets.ts';
import { clockNotes } from './clock-notes.ts';
import { connectWithStore } from '../connect.ts';
import { invalidFiles } from '../failure.ts';
import { believedLedger } from './ledger-doubts.ts';
import { LocalMedia } from './media.ts';
import { mediaUploads } from './media-uploads.ts';
import { refuseMovedSince } from '../moved-alias.ts';
import { planTerms } from './plan-terms.ts';

/** What the files say, with a way to ask the service. */
export interface Opened {
  readonly workspace: Workspace;
  readonly declared: readonly Declared[];
  readonly placeOf: PlaceOf;
  readonly warnings: readonly Diagnostic[];
  readonly client: Client;
  readonly putBytes: PutBytes;
  readonly media: LocalMedia;
  /** How old open entries of the ledger are. */
  readonly ages: Ages;
  readonly reader: LedgerReader;
  /** The accounts that the aliases stood for when this run looked them up first: a name may move while it works. */
  readonly accountIds: Map<string, string>;
}

/** A plan and everything that it was made from. */
export interface Inspection {
  readonly plan: Plan;
  readonly observed: readonly Observed[];
  readonly accounts: readonly ResolvedAccount[];
  /** The ledger, with what the lists say about its open entries; those outside of the run are left out. */
  readonly knowledge: Knowledge;
  /** What an apply has to do about the open entries before anything else. */
  readonly verdicts: readonly Verdict[];
  /** What an apply writes down about the protection of live objects. */
  readonly protection: readonly ProtectionRecord[];
  /** The service's time of the plan, epoch milliseconds. */
  readonly nowMs: number;
}

/** What a run of the files may do, and what it is about. */
export interface Terms {
  readonly allow: ReadonlySet<Allowance>;
  readonly targeting: Targeting;
}

/** Where a run's plan comes from. A run looks as often as it needs, and each look sees live state anew. */
export interface Source {
  readonly client: Client;
  readonly declared: readonly Declared[];
  /** Set where a person asked for one change by hand. */
  readonly byHand: ByHand | null;
  readonly settleMs: number;
  /** By which the ledger's requests are judged, those of this run included. */
  readonly ages: Ages;
  readonly reader: LedgerReader;
  /** Brings declared files into vaults, on record in this ledger. */
  uploads(ledger: Ledger): BeginUploads;
  /** Reads everything that matters and plans. Sends only GETs. */
  inspect(): Promise<Inspection>;
}

/** The files' own: what they declare against what is live. */
export function declaredSource(context: Context, opened: Opened, terms: Terms): Source {
  const { client, declared, workspace } = opened;
  const settleMs = workspace.service.settleSec * 1000;
  return {
    client,
    declared,
    byHand: null,
    settleMs,
    ages: opened.ages,
    reader: opened.reader,
    uploads: (ledger) => mediaUploads(context, { ...opened, settleMs }, ledger),
    inspect: () => inspect(context, opened, terms),
  };
}

/** Loads the files and connects. Throws when anything in the files is wrong; nothing has been sent then. */
export async function openWorkspace(context: Context): Promise<Opened> {
  const media = new LocalMedia(context.bytes, context.interrupted, 'read');
  const options = { env: context.env, media: (path: string) => media.examine(path) };
  const loaded = await loadDeclared(context.files, options);
  if (loaded.kind === 'invalid') throw invalidFiles(loaded.diagnostics);
  const { client, putBytes } = await connectWithStore(context, loaded.workspace.service);
  const { workspace, declared, placeOf, warnings } = loaded;
  const ages = new Ages(context.clock, client);
  const reader = new LedgerReader(context.files, client.address);
  const accountIds = new Map<string, string>();
  return { workspace, declared, placeOf, warnings, client, putBytes, media, ages, reader, accountIds };
}

/** Reads the ledger and every list that matters, and builds the plan. Sends only GETs. */
export async function inspect(
  context: Context,
  opened: Opened,
  { allow, targeting }: Terms,
): Promise<Inspection> {
  const { workspace, declared, client, ages, reader } = opened;
  const selection = selectionOf(targeting);
  const written = await reader.read();
  const startedMs = context.clock.monotonicMs();
  const accounts = await resolveUsed(opened, written.knowledge, selection);
  refuseMovedSince(opened, accounts, written);
  const scopes = scopesOf(accounts, declared, written.knowledge, selection);
  const onProgress = (done: number, total: number) =>
    context.output.progress(shown`reading lists ${done}/${total}`);
  const observed = await readObserved(client, scopes, onProgress);
  context.output.progress('');
  await hearClock(client);
  const ledger = believedLedger(written, observed);
  const settleMs = workspace.service.settleSec * 1000;
  const isCovered = coveredEntries(selection, declared, scopes);
  // Judged after the reading, which told the service's clock, and as of its beginning.
  const readStartedMs = context.clock.now() - (context.clock.monotonicMs() - startedMs);
  const verdicts = judgeOpen({
    knowledge: onOwnClock({ ...ledger.knowledge, open: ledger.knowledge.open.filter(isCovered) }, ages),
    observed,
    readStartedMs,
    settleMs,
    likeness: likenessTo,
  });
  const judged = knowledgeWith(ledger, verdictLines(ledger.last, verdicts));
  const knowledge = withUndecided(onOwnClock(judged, ages), verdicts);
  const nowMs = serviceNowMs({ client, clock: context.clock });
  const plan = buildPlan({
    declared,
    observed,
    accounts,
    knowledge: inPlanTerms(knowledge, accounts, nowMs - readStartedMs),
    allow,
    placeOf: opened.placeOf,
    nowMs,
    targeting,
    ...planTerms(workspace, client),
  });
  const protection = protectionRecords({ declared, observed, knowledge, changes: plan.changes });
  const notes = [
    ...opened.warnings,
    ...ledger.diagnostics,
    ...clockNotes(workspace.service, client),
    ...verdictNotes(verdicts),
  ];
  return {
    plan: { ...plan, diagnostics: [...notes, ...plan.diagnostics, ...protectionNotes(protection)] },
    observed,
    accounts,
    knowledge: { ...knowledge, open: knowledge.open.filter(isCovered) },
    verdicts,
    protection,
    nowMs,
  };
}

/** What open creates may have made, as far as nobody can tell: nothing of the same content is created beside it. */
function withUndecided(knowledge: Knowledge, verdicts: readonly Verdict[]): Knowledge {
  const maybeMade = new Map(verdicts.map(({ entry, undecided }) => [entry.entry, undecided]));
  const open = knowledge.open.map((one) => ({ ...one, maybeMade: maybeMade.get(one.entry) ?? null }));
  return { ...knowledge, open };
}

/** Whatever clock wrote the times of open entries: all of them on this machine's, and none of them too early. */
export function onOwnClock(knowledge: Knowledge, ages: Ages): Knowledge {
  return { ...knowledge, open: knowledge.open.map((entry) => ages.here(entry, entry.entry)) };
}

/** The same on the service's, where it is `nowMs`, for a plan whose lists were read just now. */
export function onServiceClock(knowledge: Knowledge, ages: Ages, nowMs: number): Knowledge {
  const open = knowledge.open.map((one) => ({ ...one, sentAtMs: nowMs - ages.ageMs(one, one.entry) }));
  return { ...knowledge, open };
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

/** What the reading says about requests whose answers were lost, for people. */
export function verdictNotes(verdicts: readonly Verdict[]): readonly Diagnostic[] {
  return verdicts.flatMap(({ entry, words }) =>
    words === null
      ? []
      : [
          {
            severity: 'info',
            code: 'open-entry',
            message: `the ${entry.call} whose answer was lost at ${new Date(entry.notedAtMs).toISOString()} ${words}.`,
            address: formatAddress(entry.address),
          },
        ],
  );
}

/**
 * Entries of other addresses stay open: the run neither closes nor repeats nor outwaits them. So do those of lists that
 * were not read, as after an account left the workspace: what is not in them is not known to be absent.
 */
function coveredEntries(
  selection: Selection,
  declared: readonly Declared[],
  scopes: readonly Scope[],
): (entry: OpenEntry) => boolean {
  const covers = coverage(selection, declared);
  const aliasOf = new Map(scopes.map(({ account, kind }) => [`${account.accountId}/${kind}`, account.alias]));
  return ({ accountId, address }) => {
    const account = aliasOf.get(`${accountId}/${address.kind}`);
    return account !== undefined && covers({ ...address, account });
  };
}

/** Only accounts that something is declared, known or still open for: the others cost requests for nothing. */
async function resolveUsed(
  { workspace, declared, client }: Opened,
  knowledge: Knowledge,
  { reaches }: Selection,
): Promise<readonly ResolvedAccount[]> {
  const aliases = new Set([
    ...declared
      .filter(({ address, kind }) => reaches(address.account, kind))
      .map((resource) => resource.address.account),
    ...knowledge.open.map(({ address }) => address.account),
  ]);
  const knownIds = new Set([
    ...[...knowledge.objects.values()].map((known) => known.accountId),
    ...knowledge.open.map((entry) => entry.accountId),
  ]);
  const used = workspace.accounts
    .filter(({ alias }) => KINDS.some((kind) => reaches(alias, kind)))
    .filter(
      ({ alias, selector }) => aliases.has(alias) || (selector.by === 'id' && knownIds.has(selector.value)),
    );
  return resolveAccounts(client, used, workspace.service.platforms.primary);
}

function scopesOf(
  accounts: readonly ResolvedAccount[],
  declared: readonly Declared[],
  knowledge: Knowledge,
  { reaches }: Selection,
): readonly Scope[] {
  const wanted = new Set([
    ...declared.map((resource) => `${resource.address.account}/${resource.kind}`),
    ...[...knowledge.objects.values()].map((known) => `${known.accountId}/${known.kind}`),
    ...knowledge.open.map((entry) => `${entry.accountId}/${entry.address.kind}`),
  ]);
  return accounts.flatMap((account) =>
    KINDS.filter((kind) => reaches(account.alias, kind))
      .filter((kind) => wanted.has(`${account.alias}/${kind}`) || wanted.has(`${account.accountId}/${kind}`))
      .map((kind) => ({ account, kind })),
  );
}
