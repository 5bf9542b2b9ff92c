import { formatCommand } from '../domain/command-line.ts';
import { escapeGlob } from '../domain/glob.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { look, type Look, type Subject } from '../engine/look.ts';
import type { Run } from '../engine/run.ts';
import { namedAccounts, unknownTarget } from '../live/accounts.ts';
import { indexFacts, type Index } from '../plan/decide/group.ts';

/** What is live on the imported accounts, with the plan for it by the files of before. */
export interface Scan extends Look {
  readonly subject: Subject;
  readonly index: Index;
  /** The service's time, in epoch milliseconds. */
  readonly nowMs: number;
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
  return { ...seen, subject, index: indexFacts(seen.facts), nowMs: seen.facts.time.latestMs };
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
