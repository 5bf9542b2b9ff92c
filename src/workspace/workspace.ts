import { KINDS, type SourcePlace } from '../domain/resource.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import { buildDirectory, checkGroups, readAccounts, type AccountDirectory } from './accounts.ts';
import type { Environment } from './environment.ts';
import { Findings, type Report } from './findings.ts';
import { checkIgnore, readIgnore } from './ignore.ts';
import type { WordsKnown } from './known-words.ts';
import { checkPolicyZones, readPolicy } from './policy.ts';
import { workspaceFileShape } from './schema.ts';
import { resolveService } from './service.ts';
import { checkShape } from './shape-check.ts';
import { readYaml } from './yaml.ts';

export const WORKSPACE_FILE = 'herald.yaml';

/** The default of `files:`. */
const PATTERNS_DEFAULT: readonly string[] = ['campaigns/**/*.yaml'];

/** The default of `events.keep`. */
const EVENTS_KEEP = '90d';

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
  const { value: written, findings } = checkShape(workspaceFileShape, source.value);
  report.addFindings(source, [], findings);
  if (written === null) return NOTHING_READ;
  const {
    accounts = {},
    groups = {},
    files: patterns = PATTERNS_DEFAULT,
    policy = {},
    ignore = [],
  } = written;
  const found = new Findings();
  const service = resolveService(written.service, env, found);
  const known = readAccounts(accounts, (path) => source.placeOf(path, 'key'), found);
  checkGroups(groups, accounts, found);
  checkPolicyZones(policy, found);
  checkIgnore(ignore, KINDS, found);
  report.addFindings(source, [], found.list);
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
