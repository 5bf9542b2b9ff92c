import { formatCommand } from '../domain/command-line.ts';
import { escapeGlob } from '../domain/glob.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { formatAddress, type Declared, type Observed } from '../domain/resource.ts';
import { look, type Look, type Subject } from '../engine/look.ts';
import type { Run } from '../engine/run.ts';
import { namedAccounts, unknownTarget } from '../live/accounts.ts';
import { compare } from '../plan/compare/content.ts';
import { indexFacts, type Index } from '../plan/decide/group.ts';
import { nameKey } from '../workspace/text.ts';
import { chooseImportable } from './choose.ts';
import type { Importable } from './draft.ts';
import { describeLive } from './from-live.ts';
import { leaveOut, type LeftOut } from './shape.ts';
import { explainUnsettled } from './unfinished.ts';

/** What is live on the imported accounts, with the plan for it by the files of before. */
export interface Scan extends Look {
  readonly subject: Subject;
  readonly index: Index;
}

/**
 * Reads all campaigns and broadcasts of the accounts, archived ones too. Sends only GETs. An account that cannot be read is left
 * out (`facts.unseen`), or refused if it was named.
 */
export async function scanAccounts(run: Run, opened: Subject, names: readonly string[]): Promise<Scan> {
  const { workspace } = opened;
  const aliases = namedAccounts(workspace, names).map(({ alias }) => alias);
  const unknown = aliases.filter((alias) => workspace.accounts.every((account) => account.alias !== alias));
  if (unknown.length > 0 || aliases.length === 0) throw noAlias(unknown);
  const subject = { ...opened, leavesOutOthers: names.length === 0 };
  const seen = await look(run, subject, {
    allow: new Set(workspace.allow),
    targeting: { target: aliases.map(escapeGlob), exclude: [] },
    alsoRead: () => true,
  });
  if (names.length > 0 && subject.unseen.size > 0) throw unknownTarget([...subject.unseen.values()]);
  return { ...seen, subject, index: indexFacts(seen.facts) };
}

/** The error for an account without an alias, which files need. */
function noAlias(ids: readonly string[]): HeraldError {
  const what =
    ids.length === 0
      ? 'The workspace has no accounts, and files need their aliases.'
      : `${ids.join(', ')} has no alias, and files need one.`;
  return new HeraldError(
    'account-without-alias',
    what,
    `Add it to \`accounts:\` of herald.yaml, as in: alice: { id: "101" }. To see the accounts: ${formatCommand('accounts', 'list')}`,
  );
}

/** Unmanaged live objects that a file can declare. */
export function findImportable({ index, subject, plan }: Scan): {
  readonly importables: readonly Importable[];
  readonly leftOut: readonly LeftOut[];
} {
  const unclaimed = index.lists.flatMap((list) => list.unclaimed);
  const taken = new Set(subject.declared.map(({ address }) => nameKey(address)));
  const { chosen, leftOut } = chooseImportable(unclaimed, taken, index);
  // Their creates may be blocked only by an unmanaged object with the same content.
  const blocked = new Set(
    plan.changes
      .filter(({ action, live_id: id }) => action === 'blocked' && id === null)
      .map(({ address }) => formatAddress(address)),
  );
  const waiting = subject.declared.filter(({ address }) => blocked.has(formatAddress(address)));
  const described = chosen.map((object) => {
    const unsettled = explainUnsettled(object, index);
    if (unsettled !== null) return leaveOut(object, 'unfinished', unsettled);
    const renamed = waiting.find((one) => couldBeRenamed(one, object));
    return renamed === undefined
      ? describeLive(object, index, subject.workspace.service.knownWords)
      : leaveOutRenamed(object, renamed);
  });
  return {
    importables: described.filter((one) => 'form' in one),
    leftOut: [...leftOut, ...described.filter((one) => 'code' in one)],
  };
}

/** If a renamed object were declared under its old name, its second create would not be blocked. */
function couldBeRenamed(declared: Declared, object: Observed): boolean {
  if (declared.address.account !== object.account || declared.kind !== object.kind) return false;
  const comparison = compare(declared, object);
  if (comparison.verdict === 'different')
    return comparison.fields.every(({ path }) => path === 'scheduled_at');
  return comparison.verdict === 'equal';
}

function leaveOutRenamed(object: Observed, { address, source }: Declared): LeftOut {
  const there = `${source.file}:${source.line}`;
  const reason = `"${address.name}" (${there}) has the same content and is not live. If it is a new name for this one, add renamed_from there.`;
  return leaveOut(object, 'renamed', reason);
}
