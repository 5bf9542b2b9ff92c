import type * as z from 'zod/mini';
import type { DiagnosticCode } from '../domain/codes.ts';
import { isMembers } from '../domain/field-path.ts';
import type { Env } from '../domain/ports.ts';
import { KINDS, type SourcePlace } from '../domain/resource.ts';
import { holdsSecret } from '../domain/secret.ts';
import { isLoopback, worldOrigin } from '../domain/service-identity.ts';
import {
  type AccountSelector,
  type Policy,
  SERVICE_DEFAULTS,
  type ServiceSettings,
  type ServiceTarget,
  type WorkspaceAccount,
  type WorkspaceSettings,
} from '../domain/workspace.ts';
import { POLICY_RULES } from '../policy/rules.ts';
import { judgeZone } from '../policy/zone.ts';
import type { Findings, Path, Report } from './findings.ts';
import { checkIgnore } from './rules.ts';
import { stateShape, workspaceFileShape, type WrittenAccount, type WrittenService } from './schema.ts';
import { checkShape } from './shape-check.ts';
import { didYouMean } from './suggest.ts';
import { readYaml } from './yaml.ts';

export const WORKSPACE_FILE = 'herald.yaml';

/** Of a workspace without `files:`. It may have one folder only. */
export const PATTERNS_DEFAULT: readonly string[] = ['campaigns/**/*.yaml', 'broadcasts/**/*.yaml'];

type WrittenAccounts = Readonly<Record<string, WrittenAccount>>;

/** `herald.yaml` as it was read. With errors, it only serves to find more of them. */
export interface WorkspaceDraft {
  readonly settings: WorkspaceSettings;
  readonly directory: AccountDirectory;
  readonly patterns: readonly string[];
  /** The place of a pattern of `files:`. */
  readonly placePattern: (pattern: string) => SourcePlace;
  /** Paths that are ignored on all resources, as they are written. */
  readonly ignore: readonly string[];
}

/** Reads the workspace's text, once `loadPatternEngine` has seen it. All problems are reported. Null if it has another form. */
export function readWorkspace(text: string, env: Env, report: Report): WorkspaceDraft | null {
  const { source, diagnostics } = readYaml(WORKSPACE_FILE, text);
  report.addAll(diagnostics);
  if (source === null) return null;
  const found = report.within(source, []);
  const written = checkShape(workspaceFileShape, source.value, found);
  if (written === null) return null;
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
      eventsKeepDays: Number.parseInt(written.events?.keep ?? '90d', 10),
      ciScope: written.ci?.scope ?? 'changed',
      requireApproval: written.ci?.require_approval ?? null,
      ownershipPrefix: written.ownership?.name_prefix ?? null,
      policy: readPolicy(policy),
    },
    directory: buildDirectory(accounts, groups),
    placePattern: (pattern) => source.placeOf(['files', patterns.lastIndexOf(pattern)]),
    patterns,
    ignore,
  };
}

export interface AccountDirectory {
  /** Variables by alias. */
  readonly accounts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The accounts of each group, each once. Unknown ones are left out: they are reported where the group is. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

/** The keys that choose an account, the first one that is written. */
export const SELECTORS = ['id', 'username', 'custom_label', 'platform_account_id'] as const;

/** Two equal selectors are an error, because one account would get everything twice. */
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
      // Only messages need it, and a key is found by reading the file again.
      get source() {
        return placeOf(path);
      },
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
function checkGroups(groups: WorkspaceSettings['groups'], accounts: WrittenAccounts, found: Findings): void {
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

function buildDirectory(accounts: WrittenAccounts, groups: WorkspaceSettings['groups']): AccountDirectory {
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
    const fixed = timezone === undefined ? null : judgeZone(timezone);
    if (fixed !== null) found.warning(fixed.code, ['policy', key, 'timezone'], fixed.message);
  }
}

/** `service:` with defaults and environment variables. Paths start at the workspace. */
function resolveService(written: WrittenService = {}, env: Env, found: Findings): ServiceSettings {
  const override = env['HERALD_BASE_URL'] ?? '';
  const target = resolveTarget(written, override, env, found);
  const settings: ServiceSettings = {
    target,
    identity: {
      origin: target.kind === 'simulator' ? worldOrigin(target.worldFile) : target.baseUrl,
      source: override === '' ? 'herald.yaml' : 'HERALD_BASE_URL',
      simulator: target.kind === 'simulator',
    },
    authHeader: written.auth_header ?? SERVICE_DEFAULTS.authHeader,
    platforms: {
      primary: written.platforms?.primary ?? SERVICE_DEFAULTS.platforms.primary,
      secondary: written.platforms?.secondary ?? SERVICE_DEFAULTS.platforms.secondary,
    },
    requestTimeoutSec: written.request_timeout_sec ?? SERVICE_DEFAULTS.requestTimeoutSec,
    settleSec: written.settle_sec ?? SERVICE_DEFAULTS.settleSec,
    rateShare: written.rate_share ?? SERVICE_DEFAULTS.rateShare,
    listStyle: written.list_style ?? SERVICE_DEFAULTS.listStyle,
    knownWords: {
      kinds: written.known_kinds ?? [],
      triggers: written.known_triggers ?? [],
      media_types: written.known_media_types ?? [],
      online_check_modes: written.known_online_check_modes ?? [],
    },
  };
  checkSettle(settings, found);
  return settings;
}

/**
 * The service gives up after 65 s. Until then, a create without an answer may succeed (ERROR-5). A service on this machine is
 * one of a test, which does not wait so long.
 */
function checkSettle({ settleSec, target }: ServiceSettings, found: Findings): void {
  if (target.kind === 'simulator' || settleSec >= SERVICE_DEFAULTS.settleSec) return;
  const message = `\`settle_sec\` is too short. A request without an answer may still succeed for 65 s, and a shorter wait can send twice. Write ${SERVICE_DEFAULTS.settleSec}.`;
  const isLocal = URL.canParse(target.baseUrl) && isLoopback(new URL(target.baseUrl));
  found[isLocal ? 'warning' : 'error']('settle-too-short', ['service', 'settle_sec'], message);
}

function resolveTarget(
  { base_url: baseUrl, simulator }: WrittenService,
  override: string,
  env: Env,
  found: Findings,
): ServiceTarget {
  if (baseUrl !== undefined && simulator !== undefined) {
    const message = 'base_url and simulator are both set. Remove one.';
    found.error('service-twice', ['service', 'simulator'], message, 'key');
  }
  if (override !== '')
    return { kind: 'http', baseUrl: checkedUrl(override, ['service'], 'HERALD_BASE_URL: ', found) };
  if (simulator !== undefined) return { kind: 'simulator', worldFile: simulator };
  if (baseUrl === undefined) {
    const message =
      'No service. Set `service.base_url` or `service.simulator`, or the variable HERALD_BASE_URL.';
    found.error('service-missing', ['service', 'base_url'], message, 'key');
    return { kind: 'http', baseUrl: '' };
  }
  const path = ['service', 'base_url'];
  const url = fillEnvironment(baseUrl, path, env, found);
  return { kind: 'http', baseUrl: url === null ? baseUrl : checkedUrl(url, path, '', found) };
}

/** The URL without trailing slashes, so that paths can be appended. */
function checkedUrl(text: string, path: Path, prefix: string, found: Findings): string {
  const refuse = (message: string): string => {
    found.error('invalid-base-url', path, prefix + message);
    return text;
  };
  if (/\s/.test(text)) return refuse('The address has a space or a line break. Remove it.');
  if (!URL.canParse(text)) return refuse('This is not a URL. Write https://host/path.');
  const url = new URL(text);
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '')
    return refuse(
      'The URL must end with its path, without a user name, a password, "?" or "#". The key comes from HERALD_API_KEY.',
    );
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  if (!isSafe)
    return refuse('Every request sends the key, so write https:// (http:// works for localhost only).');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** Replaces each `${NAME}`. Null after a variable that is unset, empty or not allowed, which is reported. */
function fillEnvironment(text: string, path: Path, env: Env, found: Findings): string | null {
  let isComplete = true;
  const listed = (env['HERALD_ALLOWED_ENV'] ?? '').split(/[\s,]+/);
  const filled = text.replace(/\$\{([^}]*)\}?/g, (whole, name: string) => {
    const value = env[name] ?? '';
    const refuse = (code: DiagnosticCode, message: string): string => {
      isComplete = false;
      found.error(code, path, message);
      return whole;
    };
    if (!/^[A-Za-z_]\w*$/.test(name) || !whole.endsWith('}'))
      return refuse('environment-syntax', `"${whole}" is not a variable. Write \${NAME}.`);
    if (holdsSecret(name, value))
      return refuse(
        'environment-forbidden',
        `${name} holds a secret, and no file may use it. Write the address of the service itself, or set HERALD_URL to it and write \${HERALD_URL}.`,
      );
    // Other people may edit the files, so they must not read the whole environment.
    if (!['HERALD_URL', 'HERALD_BASE_URL', ...listed].includes(name))
      return refuse(
        'environment-forbidden',
        `Files may not use ${name}. Set HERALD_ALLOWED_ENV=${[...listed, name].join(',')} where Herald runs, or set HERALD_URL and write \${HERALD_URL}.`,
      );
    if (value !== '') return value;
    return refuse('unset-environment', `${name} is not set in the environment, or is empty. Set it.`);
  });
  return isComplete ? filled : null;
}

export type StateSettings = z.output<typeof stateShape>;

/** Reads `state:` alone, also next to errors. Null if it may be in another place than the file says. */
export function readState(text: string): StateSettings | null {
  // Every key that can be read as `state` contains the word, or an escape. Other files need no parser.
  if (!/state|\\/i.test(text)) return '.herald';
  const { source, diagnostics } = readYaml(WORKSPACE_FILE, text);
  // A key that is written twice, for example, leaves open which of them counts.
  if (source === null || diagnostics.length > 0 || !isMembers(source.value)) return null;
  const { state: written } = source.value;
  const keys = Object.keys(source.value);
  // A key that is not known may have been meant as `state`.
  if (written === undefined)
    return keys.every((key) => Object.hasOwn(workspaceFileShape.shape, key)) ? '.herald' : null;
  return checkShape(stateShape, written);
}
