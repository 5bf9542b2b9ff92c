import { KINDS, type SourcePlace } from '../domain/resource.ts';
import type { AccountSelector, Policy, WorkspaceAccount, WorkspaceSettings } from '../domain/workspace.ts';
import { setPatternEngine } from '../policy/banned-words.ts';
import { POLICY_RULES } from '../policy/rules.ts';
import { explainFixedZone } from '../policy/zone.ts';
import type { Findings, Path, Report } from './findings.ts';
import { checkIgnore, readIgnore } from './ignore.ts';
import type { WordsKnown } from './rules.ts';
import { workspaceFileShape, type WrittenAccount } from './schema.ts';
import { type Environment, resolveService } from './service.ts';
import { checkShape } from './shape-check.ts';
import { didYouMean } from './suggest.ts';
import { readYaml } from './yaml.ts';

export const WORKSPACE_FILE = 'herald.yaml';

/** The default of `files:`. */
const PATTERNS_DEFAULT: readonly string[] = ['campaigns/**/*.yaml'];

/** The default of `events.keep`. */
const EVENTS_KEEP = '90d';

type WrittenAccounts = Readonly<Record<string, WrittenAccount>>;

type WrittenGroups = Readonly<Record<string, readonly string[]>>;

/** `herald.yaml`, as far as it could be read. With errors, it only serves to find more of them. */
export interface WorkspaceDraft {
  readonly settings: WorkspaceSettings | null;
  /** Null if it could not be read. Then no name is called unknown, and no variable unset. */
  readonly directory: AccountDirectory | null;
  /** The place of each pattern of `files:`. Null if it could not be read. Then no file is called missing. */
  readonly patternPlaces: ReadonlyMap<string, SourcePlace> | null;
  readonly patterns: readonly string[];
  /** Null if it could not be read. Then no word is called unknown. */
  readonly knownWords: WordsKnown;
  /** Normalised paths that are ignored on all resources. */
  readonly ignore: readonly string[];
}

const NOTHING_READ: WorkspaceDraft = {
  settings: null,
  directory: null,
  patternPlaces: null,
  patterns: PATTERNS_DEFAULT,
  knownWords: null,
  ignore: [],
};

/** Reads the workspace's text, once `loadPatternEngine` has seen it. All problems are reported. */
export function readWorkspace(text: string, env: Environment, report: Report): WorkspaceDraft {
  const { source, diagnostics } = readYaml(WORKSPACE_FILE, text);
  report.addAll(diagnostics);
  if (source === null) return NOTHING_READ;
  const found = report.within(source, []);
  const written = checkShape(workspaceFileShape, source.value, found);
  if (written === null) return NOTHING_READ;
  const {
    accounts = {},
    groups = {},
    files: patterns = PATTERNS_DEFAULT,
    policy = {},
    ignore = [],
  } = written;
  const service = resolveService(written.service, env, found);
  const known = readAccounts(accounts, (path) => source.placeOf(path, 'key'), found);
  checkGroups(groups, accounts, found);
  checkPolicyZones(policy, found);
  checkIgnore(ignore, KINDS, found);
  return {
    settings: {
      service,
      accounts: known,
      groups,
      allow: [...new Set(written.allow)].sort(),
      eventsKeepDays: Number.parseInt(written.events?.keep ?? EVENTS_KEEP, 10),
      ciScope: written.ci?.scope ?? 'changed',
      requireApproval: written.ci?.require_approval ?? null,
      ownershipPrefix: written.ownership?.name_prefix ?? null,
      policy: readPolicy(policy),
    },
    directory: buildDirectory(accounts, groups),
    patternPlaces: new Map(patterns.map((pattern, index) => [pattern, source.placeOf(['files', index])])),
    patterns,
    knownWords: service.knownWords,
    ignore: readIgnore(ignore),
  };
}

/** The accounts and groups that resource files can name. */
export interface AccountDirectory {
  /** Variables by alias. */
  readonly accounts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The accounts of each group, each once. Unknown ones are left out: they are reported where the group is. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

/** The keys that choose an account, the first one that is written. */
export const SELECTORS = ['id', 'username', 'custom_label', 'platform_account_id'] as const;

/**
 * The accounts with their selectors. Two equal selectors are an error, because one account would get everything
 * twice.
 */
function readAccounts(
  accounts: WrittenAccounts,
  placeOf: (path: Path) => SourcePlace,
  found: Findings,
): readonly WorkspaceAccount[] {
  const read: WorkspaceAccount[] = [];
  const seen = new Map<string, string>();
  for (const [alias, account] of Object.entries(accounts)) {
    const path = ['accounts', alias];
    const selector = readSelector(account);
    if (selector === null) {
      const message = `Set exactly one of ${SELECTORS.join(', ')}. Only id and platform_account_id can be set together.`;
      found.error('account-selector', path, message, 'key');
      continue;
    }
    const key = `${selector.by} ${selector.value}`;
    const other = seen.get(key);
    if (other !== undefined) {
      const message = `"${alias}" and "${other}" are the same account. Remove one of them, or correct its ${selector.by}.`;
      found.error('duplicate-account', [...path, selector.by], message);
    }
    seen.set(key, other ?? alias);
    const { platform_account_id: platformAccountId, platform } = account;
    read.push({
      alias,
      selector,
      ...(platformAccountId === undefined || selector.by !== 'id' ? {} : { platformAccountId }),
      ...(platform === undefined ? {} : { platform }),
      source: placeOf(path),
    });
  }
  return read;
}

/** Both ids together are one account: the service's id finds it, and the platform's id is for lists of that platform. */
function readSelector(account: WrittenAccount): AccountSelector | null {
  const [by, second, third] = SELECTORS.filter((one) => account[one] !== undefined);
  const isPair = by === 'id' && second === 'platform_account_id' && third === undefined;
  if (by === undefined || (second !== undefined && !isPair)) return null;
  return { by, value: account[by] ?? '' };
}

/** Checks that groups name aliases, and that no group has the name of an alias. */
function checkGroups(groups: WrittenGroups, accounts: WrittenAccounts, found: Findings): void {
  for (const [name, members] of Object.entries(groups)) {
    const path = ['groups', name];
    if (Object.hasOwn(accounts, name)) {
      const message = `"${name}" is already an account. Give the group another name.`;
      found.error('group-is-alias', path, message, 'key');
    }
    for (const [index, member] of members.entries()) {
      if (Object.hasOwn(accounts, member)) continue;
      const message = `Unknown account "${member}". A group has aliases of \`accounts:\` only. Add it there, or correct the name.${didYouMean(member, Object.keys(accounts))}`;
      found.error('unknown-account', [...path, index], message);
    }
  }
}

function buildDirectory(accounts: WrittenAccounts, groups: WrittenGroups): AccountDirectory {
  const variables = Object.entries(accounts).map(
    ([alias, { vars = {} }]) => [alias, new Map(Object.entries(vars))] as const,
  );
  const isKnown = (alias: string) => Object.hasOwn(accounts, alias);
  const members = Object.entries(groups).map(
    ([name, aliases]) => [name, [...new Set(aliases)].filter(isKnown)] as const,
  );
  return { accounts: new Map(variables), groups: new Map(members) };
}

/** What the file sets, and the defaults of other rules. */
function readPolicy(written: Partial<Policy>): Policy {
  const defaults = POLICY_RULES.flatMap((rule) =>
    rule.default === undefined ? [] : [[rule.key, rule.default]],
  );
  return { ...Object.fromEntries(defaults), ...written };
}

/** Warns of zones without daylight saving time, which people rarely mean. */
function checkPolicyZones(written: Partial<Policy>, found: Findings): void {
  for (const [key, rule] of Object.entries(written)) {
    const { timezone } = Object(rule) as { readonly timezone?: string };
    const fixed = timezone === undefined ? null : explainFixedZone(timezone);
    if (fixed !== null) found.warning('fixed-zone', ['policy', key, 'timezone'], fixed);
  }
}

/** Loads the engine of patterns, which is large. Call it if `herald.yaml` may have `banned_words`. */
export async function loadPatternEngine(): Promise<void> {
  setPatternEngine((await import('re2js')).RE2JS);
}
