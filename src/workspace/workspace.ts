import { KINDS, type SourcePlace } from '../domain/resource.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import { buildDirectory, checkGroups, isSelector, readAccounts, type AccountDirectory } from './accounts.ts';
import { dropFollowUps } from './follow-ups.ts';
import { error, type Finding, type Path, type Report } from './findings.ts';
import { checkIgnore, readIgnore } from './ignore.ts';
import { policyProblems, NO_ENGINES, readPolicy, type Engines } from './policy.ts';
import { workspaceFileShape } from './schema.ts';
import type { Environment } from './environment.ts';
import type { WordsKnown } from './known-words.ts';
import { resolveService } from './service.ts';
import { checkShape } from './shape-issues.ts';
import { resolveInside } from './text-files.ts';
import { readYaml } from './yaml-source.ts';

/** The default of `files:`. */
const PATTERNS_DEFAULT: readonly string[] = ['campaigns/**/*.yaml'];

/** The default of `events.keep`. */
const EVENTS_KEEP = '90d';

/** `herald.yaml`, as far as it could be read. With errors, it only serves to find more of them. */
export interface WorkspaceDraft {
  readonly settings: WorkspaceSettings | null;
  readonly directory: AccountDirectory;
  readonly patterns: readonly string[];
  /** False if some could not be read or leave the workspace. Then no file is called missing. */
  readonly patternsComplete: boolean;
  /** The place of each pattern of `files:`. */
  readonly patternPlaces: ReadonlyMap<string, SourcePlace>;
  /** Null if it could not be read. Then no word is called unknown. */
  readonly knownWords: WordsKnown;
  /** Normalised paths that are ignored on all resources. */
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

/** Reads the workspace's text. All problems are reported. */
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
  // An alias or group with a problem inside keeps its name.
  const namesGone = removed.some(([section, , ...inside]) => section === 'accounts' && inside.length === 0);
  const service = resolveService(written.service, env);
  const known = readAccounts(accounts, (path) => source.placeOf(path, 'key'));
  const rules = [
    ...service.findings,
    ...known.findings,
    ...(namesGone ? [] : checkGroups(groups, accounts)),
    ...checkPatterns(patterns),
    ...policyProblems(policy, source, engines),
    ...checkIgnore(written.ignore, KINDS),
  ];
  report.addFindings(source, [], dropFollowUps(rules, removed));
  const groupsGone = removed.some(([section]) => section === 'groups');
  const wordsGone = removed.some(
    ([section, key]) => section === 'service' && (key === undefined || isWordKey(key)),
  );
  // An unknown key may be a misspelled `vars`.
  const varsGone = findings.some(({ path: [section, , key] }) => section === 'accounts' && !isSelector(key));
  return {
    settings: {
      service: service.settings,
      accounts: known.accounts,
      groups,
      allow: [...new Set(written.allow)].sort(),
      eventsKeepDays: Number.parseInt(written.events?.keep ?? EVENTS_KEEP, 10),
      ciScope: written.ci?.scope ?? 'changed',
      requireApproval: written.ci?.require_approval ?? null,
      ownershipPrefix: written.ownership?.name_prefix ?? null,
      policy: readPolicy(policy, engines),
    },
    directory: buildDirectory(accounts, groups, {
      names: !namesGone && !groupsGone,
      variables: !namesGone && !varsGone,
    }),
    patterns: patterns.filter(staysInside),
    patternsComplete:
      checkPatterns(patterns).length === 0 && !removed.some(([section]) => section === 'files'),
    patternPlaces: new Map(patterns.map((pattern, index) => [pattern, source.placeOf(['files', index])])),
    knownWords: wordsGone ? null : service.settings.knownWords,
    ignore: readIgnore(written.ignore),
  };
}

/** True for keys such as `known_kinds`, also misspelled ones. */
function isWordKey(key: string | number): boolean {
  return String(key).startsWith('known');
}

function staysInside(pattern: string): boolean {
  // A leading "!" excludes files.
  return resolveInside('', pattern.replace(/^!/, '')) !== null;
}

/** What other programs take as a choice of texts or characters. Taken as names here, it could leave out files without a word. */
const UNKNOWN_SYNTAX = /[{}[\]]|[@!?+*]\(/;

function checkPatterns(patterns: readonly string[]): Finding[] {
  return patterns.flatMap((pattern, index) => {
    const path: Path = ['files', index];
    if (UNKNOWN_SYNTAX.test(pattern)) {
      const advice = 'Use *, ? and ** only, and write one pattern for each choice.';
      return [
        error('invalid-pattern', path, `"${pattern}" has brackets, which have no meaning here. ${advice}`),
      ];
    }
    if (staysInside(pattern)) return [];
    return [
      error(
        'path-outside',
        path,
        `"${pattern}" is outside the workspace. Write a pattern inside it, with "/".`,
      ),
    ];
  });
}
