import { HeraldError } from '../../domain/herald-error.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { globOf } from '../../domain/glob.ts';
import { formatAddress, KINDS, type Address, type Declared } from '../../domain/resource.ts';
import type { Workspace } from '../../domain/workspace.ts';
import type { Look } from '../../engine/look.ts';
import { objectKey, type Targeting } from '../../plan/facts.ts';
import { parsePatterns, selectAddresses } from '../../plan/targets.ts';
import { didYouMean } from '../../workspace/suggest.ts';

/** Values of `--target` and `--exclude`. */
export interface TargetFlags {
  readonly target: readonly string[];
  readonly exclude: readonly string[];
}

/** Parses the flags. Throws, before any request, for a pattern that cannot match in this workspace. */
export function targetingOf({ target, exclude }: TargetFlags, { accounts }: Workspace): Targeting {
  const aliases = accounts.map(({ alias }) => alias);
  for (const { flag, pattern } of collectPatterns({ target, exclude })) {
    const [account = '', kind = '*'] = pattern.split('/');
    if (!aliases.some(globOf(account)))
      throw noMatch(flag, pattern, `Unknown account.${didYouMean(account, aliases)}`);
    if (!KINDS.some(globOf(kind)))
      throw noMatch(
        flag,
        pattern,
        `The second part must be campaign or broadcast.${didYouMean(kind, KINDS)}`,
      );
  }
  return { target, exclude };
}

/** Throws for a pattern without a match. With a typo, it would select the wrong resources. */
export function refuseUnmatched(targeting: Targeting, { plan, facts }: Pick<Look, 'plan' | 'facts'>): void {
  const { declared } = facts;
  const files = declared.map(({ address }) => address);
  const planned = plan.changes.map(({ address }) => address);
  const live = listLiveNames(facts);
  const { isEverything, selects, excludes } = selectAddresses(targeting);
  for (const { address, renamedFrom } of declared)
    if (renamedFrom !== null && selects(address) && excludes({ ...address, name: renamedFrom }))
      throw excludedRename(address, renamedFrom);
  for (const { flag, pattern } of collectPatterns(targeting)) {
    // `--exclude` may name unmanaged objects. `--target` names only resources of the plan.
    const named = [...files, ...(flag === '--target' ? planned : live)];
    if (!named.some(parsePatterns([pattern]).fits))
      throw noMatch(
        flag,
        pattern,
        describeRename(pattern, declared) ?? describeNear(pattern, [...files, ...live]),
      );
  }
  if (isEverything || files.some(selects) || planned.length > 0) return;
  throw new HeraldError(
    'nothing-left',
    '--target and --exclude together leave nothing. Nothing was changed.',
    `To see the addresses: ${formatCommand('plan', '--format', 'json')}`,
  );
}

/** The names of what is live, as the service shows them and as the state knows them. */
function listLiveNames({ declared, observed, known }: Look['facts']): readonly Address[] {
  const declaredNames = new Set(declared.map(({ address }) => formatAddress(address)));
  const recorded = new Map(
    known.objects.map((row) => [
      objectKey({ accountId: row.account_id, kind: row.kind, liveId: row.live_id }),
      row.name,
    ]),
  );
  return observed.flatMap(({ account, accountId, kind, live: { id, name } }) => {
    const before = recorded.get(objectKey({ accountId, kind, liveId: id })) ?? '';
    // After a rename, the address has the new name, and the old one matches nothing.
    const names = declaredNames.has(formatAddress({ account, kind, name: before }))
      ? [before]
      : [name, before];
    return names.flatMap((one) => (one == null || one === '' ? [] : [{ account, kind, name: one }]));
  });
}

function collectPatterns({ target, exclude }: TargetFlags): readonly { flag: string; pattern: string }[] {
  const withFlag = (flag: string) => (pattern: string) => ({ flag, pattern });
  return [...target.map(withFlag('--target')), ...exclude.map(withFlag('--exclude'))];
}

/** As many names as fit into one line. */
const NEAR_MAX = 5;

/** The new name of what the pattern names by its old one; null if it names no such resource. */
function describeRename(pattern: string, declared: readonly Declared[]): string | null {
  const { fits } = parsePatterns([pattern]);
  const renamed = declared.find(
    ({ address, renamedFrom }) => renamedFrom !== null && fits({ ...address, name: renamedFrom }),
  );
  return renamed === undefined ? null : `The files rename it to "${formatAddress(renamed.address)}".`;
}

function describeNear(pattern: string, known: readonly Address[]): string {
  const { fits, fitsList } = parsePatterns([pattern]);
  // A live name can be what was typed, and the pattern matches nothing all the same.
  const addresses = known.filter((address) => !fits(address));
  const all = [...new Set(addresses.map(formatAddress))].toSorted();
  const meant = didYouMean(pattern, all);
  if (meant !== '') return meant.trim();
  const similar = addresses.filter(({ account, kind }) => fitsList(account, kind));
  const names = [...new Set(similar.map(formatAddress))].toSorted();
  if (names.length === 0) return 'Nothing is declared or live under this account and kind.';
  const more = names.length > NEAR_MAX ? `, and ${names.length - NEAR_MAX} more` : '';
  return `Similar: ${names.slice(0, NEAR_MAX).join(', ')}${more}.`;
}

/** The error for a rename from an excluded name: carrying it out would change an excluded object. */
function excludedRename(address: Address, former: string): HeraldError {
  return new HeraldError(
    'excluded-rename',
    `--exclude leaves out ${formatAddress({ ...address, name: former })}, but ${formatAddress(address)} is renamed from it. Nothing was changed.`,
    'Exclude both names, or neither.',
  );
}

function noMatch(flag: string, pattern: string, hint: string): HeraldError {
  return new HeraldError(
    'no-match',
    `${flag} ${JSON.stringify(pattern)} matches nothing. Nothing was changed.`,
    `${hint} A pattern is account/kind/name, with * for any characters.`,
  );
}
