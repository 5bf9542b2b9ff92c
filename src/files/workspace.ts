import { MAX_CHANGES_DEFAULT, type Policy, type WorkspaceSettings } from '../domain/workspace.ts';
import { buildDirectory, checkGroups, readAccounts, type AccountDirectory } from './accounts.ts';
import { problem, type Finding, type Path, type Report } from './findings.ts';
import { priceIsPlain } from './rules/messages.ts';
import { isZone } from './schedule.ts';
import { workspaceFileShape, type WrittenPolicy } from './schema.ts';
import { resolveService, type Environment } from './service.ts';
import { checkShape, isEcho } from './shape-issues.ts';
import { resolveInside } from './text-files.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

/** Which files hold resources unless `files:` says otherwise (design, section 3). */
const PATTERNS_DEFAULT: readonly string[] = ['campaigns/**/*.yaml'];

/** `herald.yaml` as far as it could be read; with errors on the report, only good for finding more of them. */
export interface WorkspaceDraft {
  readonly settings: WorkspaceSettings | null;
  readonly directory: AccountDirectory;
  readonly patterns: readonly string[];
}

const NOTHING_READ: WorkspaceDraft = {
  settings: null,
  directory: buildDirectory({}, {}, false),
  patterns: PATTERNS_DEFAULT,
};

/** Reads the workspace's text; everything that is wrong with it goes on the report. */
export function readWorkspace(file: string, text: string, env: Environment, report: Report): WorkspaceDraft {
  const { source, diagnostics } = readYaml(file, text);
  report.add(...diagnostics);
  if (source === null) return NOTHING_READ;
  const { value: written, findings, removed } = checkShape(workspaceFileShape, source.value);
  report.addFindings(source, [], findings);
  if (written === null) return NOTHING_READ;
  const { accounts = {}, groups = {}, files: patterns = PATTERNS_DEFAULT, policy = {} } = written;
  const service = resolveService(written.service, env);
  const known = readAccounts(accounts, (path) => source.placeOf(path, 'key'));
  const rules = [
    ...service.findings,
    ...known.findings,
    ...checkGroups(groups, accounts),
    ...patternsStayInside(patterns),
    ...checkPolicy(policy, source),
  ];
  report.addFindings(
    source,
    [],
    rules.filter((finding) => !isEcho(finding, removed)),
  );
  const complete = !removed.some(([section]) => section === 'accounts' || section === 'groups');
  return {
    settings: {
      service: service.settings,
      accounts: known.accounts,
      groups,
      allow: [...new Set(written.allow)].sort(),
      ownershipPrefix: written.ownership?.name_prefix ?? null,
      policy: readPolicy(policy),
    },
    directory: buildDirectory(accounts, groups, complete),
    patterns: patterns.filter(staysInside),
  };
}

function staysInside(pattern: string): boolean {
  // A leading "!" takes files away again.
  return resolveInside('', pattern.replace(/^!/, '')) !== null;
}

function patternsStayInside(patterns: readonly string[]): Finding[] {
  return patterns.flatMap((pattern, index) => {
    const path: Path = ['files', index];
    if (staysInside(pattern)) return [];
    return [
      problem('path-outside', path, `"${pattern}" leaves the workspace: write a pattern below it, with "/".`),
    ];
  });
}

function checkPolicy(
  { quiet_hours: quiet, max_price_gross: price }: WrittenPolicy,
  source: YamlSource,
): Finding[] {
  const findings: Finding[] = [];
  const path = ['policy', 'quiet_hours'];
  if (price !== undefined)
    findings.push(...priceIsPlain(['policy', 'max_price_gross'], (at) => source.oddNumberAt(at)));
  if (quiet === undefined) return findings;
  if (!isZone(quiet.timezone)) {
    const message = `"${quiet.timezone}" is no time zone: write its IANA name, such as Europe/Berlin.`;
    findings.push(problem('unknown-timezone', [...path, 'timezone'], message));
  }
  if (quiet.from === quiet.to) {
    const message = 'It ends when it begins: write another hour, or remove quiet_hours.';
    findings.push(problem('quiet-hours-empty', [...path, 'to'], message));
  }
  return findings;
}

function readPolicy(written: WrittenPolicy): Policy {
  return {
    maxChanges: written.max_changes ?? MAX_CHANGES_DEFAULT,
    maxPriceGross: written.max_price_gross ?? null,
    bannedWords: written.banned_words ?? [],
    quietHours: written.quiet_hours ?? null,
  };
}
