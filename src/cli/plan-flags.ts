import { ALLOWANCE_NAMES, type Allowance } from '../domain/allowance.ts';
import { formatCommand } from '../domain/command-line.ts';
import { globOf } from '../domain/glob.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { formatAddress, KINDS, type Address } from '../domain/resource.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { Look } from '../engine/look.ts';
import type { Opened } from '../library/open.ts';
import { indexRows, type Targeting } from '../plan/facts.ts';
import { parsePatterns, selectAddresses } from '../plan/targets.ts';
import { count } from '../render/wording.ts';
import { didYouMean } from '../workspace/suggest.ts';
import type { Context } from './context.ts';
import { switchFlag, textFlag, textsFlag } from './flags.ts';

/** What a plan is about. */
export const targetFlags = {
  target: textsFlag(
    '--target <pattern>',
    'only resources that match account/kind/name; * and ? are wildcards (repeatable)',
  ),
  exclude: textsFlag('--exclude <pattern>', 'leave out resources that match account/kind/name (repeatable)'),
};

export const expandFlag = switchFlag('--expand', 'show each change on its own, also those that do the same');

export const pageFlag = textFlag('--html <file>', 'draw it as a page in this file, too');

/** The flags of a printed command that repeats those of this one, in the order of `given`. */
export function repeatFlags(given: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(given).flatMap(([flag, values]) => values.flatMap((value) => [`--${flag}`, value]));
}

/** The allowances of this run: those of `--allow` and those in `herald.yaml`. */
export function readAllowances(
  flags: readonly string[],
  standing: readonly Allowance[],
): ReadonlySet<Allowance> {
  const given = flags.map((flag) => {
    const known = ALLOWANCE_NAMES.find((name) => name === flag);
    if (known !== undefined) return known;
    const names = ALLOWANCE_NAMES.join(', ');
    throw new HeraldError('bad-flag', `--allow ${flag} is unknown. Use one of: ${names}.`);
  });
  return new Set([...given, ...standing]);
}

/** Parses `--target` and `--exclude`. Throws, before any request, for a pattern that cannot match in this workspace. */
export function readTargets({ target, exclude }: Targeting, { accounts }: Workspace): Targeting {
  const aliases = accounts.map(({ alias }) => alias);
  for (const { flag, pattern } of listPatterns({ target, exclude })) {
    const [account = '', kind = '*'] = pattern.split('/');
    if (!aliases.some(globOf(account)))
      throw noMatch(flag, pattern, `Unknown account.${didYouMean(account, aliases)}`);
    if (!KINDS.some(globOf(kind))) {
      const hint = `The second part must be campaign or broadcast.${didYouMean(kind, KINDS)}`;
      throw noMatch(flag, pattern, hint);
    }
  }
  return { target, exclude };
}

/** The targets of `--scope changed`: what the files declare differently than `base`. Null for everything. Prints the scope. */
export async function chooseScope(
  context: Context,
  opened: Opened,
  comparison: { readonly base: string; readonly head: string | null },
) {
  const { scopeChanged } = await import('../ci/scope.ts');
  const scope = await scopeChanged(context, await context.repository(), opened, comparison);
  context.output.say(
    scope.kind === 'all'
      ? shown`Scope: everything, because ${visibleProse(scope.because)}.`
      : shown`Scope: ${count(scope.addresses.length, 'resource')} declared differently than in ${scope.base.slice(0, 12)}.`,
  );
  return scope;
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
      // Carrying out the rename would change an excluded object.
      throw new HeraldError(
        'excluded-rename',
        `--exclude leaves out ${formatAddress({ ...address, name: renamedFrom })}, but ${formatAddress(address)} is renamed from it. Nothing was changed.`,
        'Exclude both names, or neither.',
      );
  for (const { flag, pattern } of listPatterns(targeting)) {
    const { fits } = parsePatterns([pattern]);
    // `--exclude` may name unmanaged objects. `--target` names only resources of the plan.
    if ([...files, ...(flag === '--target' ? planned : live)].some(fits)) continue;
    const renamed = declared.find(
      ({ address, renamedFrom }) => renamedFrom !== null && fits({ ...address, name: renamedFrom }),
    );
    throw noMatch(
      flag,
      pattern,
      renamed === undefined
        ? describeNear(pattern, [...files, ...live])
        : `The files rename it to "${formatAddress(renamed.address)}".`,
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
  const rowOf = indexRows(known.objects);
  return observed.flatMap((object) => {
    const { account, kind, live } = object;
    const before = rowOf(object)?.name ?? '';
    // After a rename, the address has the new name, and the old one matches nothing.
    const names = declaredNames.has(formatAddress({ account, kind, name: before }))
      ? [before]
      : [live.name, before];
    return names.flatMap((one) => (one == null || one === '' ? [] : [{ account, kind, name: one }]));
  });
}

function listPatterns({ target, exclude }: Targeting): readonly { flag: string; pattern: string }[] {
  return [
    ...target.map((pattern) => ({ flag: '--target', pattern })),
    ...exclude.map((pattern) => ({ flag: '--exclude', pattern })),
  ];
}

/** As many names as fit into one line. */
const NEAR_MAX = 5;

function describeNear(pattern: string, known: readonly Address[]): string {
  const { fits, fitsList } = parsePatterns([pattern]);
  // A live name can be what was typed, and the pattern matches nothing all the same.
  const addresses = known.filter((address) => !fits(address));
  const meant = didYouMean(pattern, [...new Set(addresses.map(formatAddress))].toSorted());
  if (meant !== '') return meant.trim();
  const similar = addresses.filter(({ account, kind }) => fitsList(account, kind));
  const names = [...new Set(similar.map(formatAddress))].toSorted();
  if (names.length === 0) return 'Nothing is declared or live under this account and kind.';
  const more = names.length > NEAR_MAX ? `, and ${names.length - NEAR_MAX} more` : '';
  return `Similar: ${names.slice(0, NEAR_MAX).join(', ')}${more}.`;
}

function noMatch(flag: string, pattern: string, hint: string): HeraldError {
  return new HeraldError(
    'no-match',
    `${flag} ${JSON.stringify(pattern)} matches nothing. Nothing was changed.`,
    `${hint} A pattern is account/kind/name, with * for any characters.`,
  );
}
