import { KINDS, type SourcePlace } from '../domain/resource.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import { buildDirectory, checkGroups, isSelector, readAccounts, type AccountDirectory } from './accounts.ts';
import { withoutEchoes } from './echo.ts';
import { problem, type Finding, type Path, type Report } from './findings.ts';
import { checkIgnore, readIgnore } from './ignore.ts';
import { policyProblems, NO_ENGINES, readPolicy, type Engines } from './policy.ts';
import { workspaceFileShape } from './schema.ts';
import type { Environment } from './environment.ts';
import type { WordsKnown } from './known-words.ts';
import { resolveService } from './service.ts';
import { checkShape } from './shape-issues.ts';
import { resolveInside } from './text-files.ts';
import { readYaml } from './yaml-source.ts';

/** Which files hold resources unless `files:` says otherwise. */
const PATTERNS_DEFAULT: readonly string[] = ['campaigns/**/*.yaml'];

/** `herald.yaml` as far as it could be read; with errors on the report, only good for finding more of them. */
export interface WorkspaceDraft {
  readonly settings: WorkspaceSettings | null;
  readonly directory: AccountDirectory;
  readonly patterns: readonly string[];
  /** False when some could not be read, or lead out of the workspace: then no file is called missing. */
  readonly patternsComplete: boolean;
  /** Where each pattern of `files:` stands. */
  readonly patternPlaces: ReadonlyMap<string, SourcePlace>;
  /** Null when it could not be read: then no word is called unknown. */
  readonly knownWords: WordsKnown;
  /** Paths that are compared on no resource, in one spelling. */
  readonly ignore: readonly string[];
}

const NOTHING_READ: WorkspaceDraft = {
  settings: null,
  directory: buildDirectory({}, {}, { names: false, variables: false }),
  patterns: PATTERNS_DEFAULT,
  patternsComplete: false,
  patternPlaces: new Map(),
  knownWords: null,
  ignore: [],
};

/** Reads the workspace's text; everything that is wrong with it goes on the report. */
export function readWorkspace(
  file: string,
  text: string,
  env: Environment,
  report: Report,
  engines: Engines = NO_ENGINES,
): WorkspaceDraft {
  const { source, diagnostics } = readYaml(file, text);
  report.addAll(diagnostics);
  if (source === null) return NOTHING_READ;
  const { value: written, findings, removed } = checkShape(workspaceFileShape, source.value, { version: 1 });
  report.addFindings(source, [], findings);
  if (written === null) return NOTHING_READ;
  const { accounts = {}, groups = {}, files: patterns = PATTERNS_DEFAULT, policy = {} } = written;
  // Wrong inside of one, an alias or a group is still known by its name.
  const namesGone = removed.some(([section, , ...inside]) => section === 'accounts' && inside.length === 0);
  const service = resolveService(written.service, env);
  const known = readAccounts(accounts, (path) => source.placeOf(path, 'key'));
  const rules = [
    ...service.findings,
    ...known.findings,
    ...(namesGone ? [] : checkGroups(groups, accounts)),
    ...patternsStayInside(patterns),
    ...policyProblems(policy, source, engines),
    ...checkIgnore(written.ignore, KINDS),
  ];
  report.addFindings(source, [], withoutEchoes(rules, removed));
  const groupsGone = removed.some(([section]) => section === 'groups');
  const wordsGone = removed.some(
    ([section, key]) => section === 'service' && (key === undefined || isWordKey(key)),
  );
  // A key that nobody knows may be `vars` in other letters.
  const varsGone = findings.some(({ path: [section, , key] }) => section === 'accounts' && !isSelector(key));
  return {
    settings: {
      service: service.settings,
      accounts: known.accounts,
      groups,
      allow: [...new Set(written.allow)].sort(),
      ownershipPrefix: written.ownership?.name_prefix ?? null,
      policy: readPolicy(policy, engines),
    },
    directory: buildDirectory(accounts, groups, {
      names: !namesGone && !groupsGone,
      variables: !namesGone && !varsGone,
    }),
    patterns: patterns.filter(staysInside),
    patternsComplete: patterns.every(staysInside) && !removed.some(([section]) => section === 'files'),
    patternPlaces: new Map(patterns.map((pattern, index) => [pattern, source.placeOf(['files', index])])),
    knownWords: wordsGone ? null : service.settings.knownWords,
    ignore: readIgnore(written.ignore),
  };
}

/** Also a misspelled one, as `known_kind`. */
function isWordKey(key: string | number): boolean {
  return String(key).startsWith('known');
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
