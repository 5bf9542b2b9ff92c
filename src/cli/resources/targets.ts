import type { Plan } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { objectKey, type Knowledge } from '../../domain/knowledge.ts';
import { formatAddress, KINDS, type Address, type Declared, type Observed } from '../../domain/resource.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { didYouMean } from '../../workspace/suggest.ts';
import { fits, patternOf, selectionOf, type AddressPattern, type Targeting } from '../../plan/targets.ts';
import { CommandError } from '../failure.ts';

/** Values of `--target` and `--exclude`. */
export interface TargetFlags {
  readonly target: readonly string[];
  readonly exclude: readonly string[];
}

/** Parses the flags. Throws, before any request, for a pattern that cannot match in this workspace. */
export function targetingOf({ target, exclude }: TargetFlags, { accounts }: Workspace): Targeting {
  const aliases = accounts.map(({ alias }) => alias);
  for (const { flag, pattern } of patternsOf({ target, exclude })) {
    const [account = '', kind = ''] = pattern.text.split('/');
    if (!aliases.some((alias) => pattern.account(alias)))
      throw noMatch(flag, pattern, `Unknown account.${didYouMean(account, aliases)}`);
    if (!KINDS.some((one) => pattern.kind(one)))
      throw noMatch(
        flag,
        pattern,
        `The second part must be campaign or broadcast.${didYouMean(kind, KINDS)}`,
      );
  }
  return { target, exclude };
}

/** The addresses that a pattern can match: declared ones, and all that the run has read. */
interface Known {
  readonly declared: readonly Declared[];
  readonly observed: readonly Observed[];
  readonly knowledge: Knowledge;
  readonly plan: Plan;
}

/** Throws for a pattern without a match. With a typo, it would select the wrong resources. */
export function refuseUnmatched(targeting: Targeting, { declared, observed, knowledge, plan }: Known): void {
  const files = declared.map(({ address }) => address);
  const planned = plan.changes.map(({ address }) => address);
  const declaredNames = new Set(files.map(formatAddress));
  const live = observed.flatMap(({ account, accountId, kind, live: { id, name } }) => {
    const known = knowledge.objects.get(objectKey(accountId, kind, id))?.name ?? '';
    // After a rename, the address has the new name, and the old one matches nothing.
    const names = declaredNames.has(formatAddress({ account, kind, name: known })) ? [known] : [name, known];
    return names.flatMap((one) => (one == null || one === '' ? [] : [{ account, kind, name: one }]));
  });
  const { isEverything, selects, excludes } = selectionOf(targeting);
  for (const { address, renamedFrom } of declared)
    if (renamedFrom !== null && selects(address) && excludes({ ...address, name: renamedFrom }))
      throw excludedRename(address, renamedFrom);
  for (const { flag, pattern } of patternsOf(targeting)) {
    // `--exclude` may name unmanaged objects. `--target` names only resources of the plan.
    const named = [...files, ...(flag === '--target' ? planned : live)];
    if (!named.some((address) => fits(pattern, address)))
      throw noMatch(flag, pattern, renamedWords(pattern, declared) ?? near(pattern, [...files, ...live]));
  }
  if (isEverything || files.some(selects) || planned.length > 0) return;
  throw new CommandError(
    'nothing-left',
    '--target and --exclude together leave nothing. Nothing was changed.',
    `To see the addresses: ${formatCommand('plan', '--format', 'json')}`,
  );
}

function patternsOf({ target, exclude }: TargetFlags): readonly { flag: string; pattern: AddressPattern }[] {
  const withFlag = (flag: string) => (text: string) => ({ flag, pattern: patternOf(text) });
  return [...target.map(withFlag('--target')), ...exclude.map(withFlag('--exclude'))];
}

/** As many names as fit into one line. */
const NEAR_MAX = 5;

/** The new name of what the pattern names by its old one; null if it names no such resource. */
function renamedWords(pattern: AddressPattern, declared: readonly Declared[]): string | null {
  const renamed = declared.find(
    ({ address, renamedFrom }) => renamedFrom !== null && fits(pattern, { ...address, name: renamedFrom }),
  );
  return renamed === undefined ? null : `The files rename it to "${formatAddress(renamed.address)}".`;
}

function near(pattern: AddressPattern, known: readonly Address[]): string {
  // A live name can be what was typed, and the pattern matches nothing all the same.
  const addresses = known.filter((address) => !fits(pattern, address));
  const all = [...new Set(addresses.map(formatAddress))].toSorted();
  const meant = didYouMean(pattern.text, all);
  if (meant !== '') return meant.trim();
  const similar = addresses.filter(
    (address) => pattern.account(address.account) && pattern.kind(address.kind),
  );
  const names = [...new Set(similar.map(formatAddress))].toSorted();
  if (names.length === 0) return 'Nothing is declared or live under this account and kind.';
  const more = names.length > NEAR_MAX ? `, and ${names.length - NEAR_MAX} more` : '';
  return `Similar: ${names.slice(0, NEAR_MAX).join(', ')}${more}.`;
}

/** The error for a rename from an excluded name: carrying it out would change an excluded object. */
function excludedRename(address: Address, former: string): CommandError {
  return new CommandError(
    'excluded-rename',
    `--exclude leaves out ${formatAddress({ ...address, name: former })}, but ${formatAddress(address)} is renamed from it. Nothing was changed.`,
    'Exclude both names, or neither.',
  );
}

function noMatch(flag: string, { text }: AddressPattern, hint: string): CommandError {
  return new CommandError(
    'no-match',
    `${flag} ${JSON.stringify(text)} matches nothing. Nothing was changed.`,
    `${hint} A pattern is account/kind/name, with * for any characters.`,
  );
}
