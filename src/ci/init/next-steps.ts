import type { ProviderName } from '../../provider/job.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { StateSettings } from '../../workspace/state.ts';

/** What is left to do after the files were written. */
export interface InitFacts {
  readonly provider: ProviderName;
  readonly path: string;
  readonly version: string;
  /** The lock file installs this package already. */
  readonly isInstalled: boolean;
  /** The address of the service comes from a variable, or still has to. */
  readonly needsAddress: boolean;
  /** `herald.yaml` names the embedded simulator. */
  readonly isSimulated: boolean;
  /** Where `herald.yaml` keeps the state. */
  readonly state: StateSettings;
  /** The folder of the workspace has a state, of applies on this machine. */
  readonly hasOwnState: boolean;
  readonly branch: string;
}

export interface NextStep {
  /** A command, or a sentence if no command does it. */
  readonly do: string;
  readonly why: string;
}

/** How a secret and a variable of the jobs are set. */
const SET = {
  github: {
    secret: (name: string) => `gh secret set ${name}`,
    variable: (name: string, value: string) => `gh variable set ${name} --body ${value}`,
  },
  gitlab: {
    secret: (name: string) => `glab variable set ${name} --masked`,
    variable: (name: string, value: string) => `glab variable set ${name} ${value}`,
  },
  generic: {
    secret: (name: string) => `Set the secret ${name} in your CI.`,
    variable: (name: string, value: string) => `Set the variable ${name}=${value} in your CI.`,
  },
} as const satisfies Record<ProviderName, unknown>;

/** The steps in the order in which to take them. */
export function nextSteps(facts: InitFacts): readonly NextStep[] {
  const { provider, path, version, isInstalled, needsAddress, isSimulated, state } = facts;
  const set = SET[provider];
  const only = (isNeeded: boolean, ...steps: readonly NextStep[]) => (isNeeded ? steps : []);
  return [
    ...only(!isInstalled, {
      do: `npm install --save-dev --save-exact herald-campaigns@${version}`,
      why: `CI installs the version of the lock file; until it is published, commit and install herald-campaigns-${version}.tgz, which npm pack makes`,
    }),
    ...only(isSimulated, {
      do: 'Replace simulator: by base_url: in herald.yaml.',
      why: 'the jobs refuse the embedded simulator, which sends nothing to anyone',
    }),
    {
      do: set.secret('HERALD_VIEW_KEY'),
      why: 'a key with view permissions only, for plans and drift; without it, plans compare the files only',
    },
    ...keySteps(provider),
    ...(typeof state === 'object' && 'postgres' in state
      ? [{ do: set.secret(state.postgres), why: 'the address of the state database' }]
      : []),
    ...only(needsAddress, {
      do: set.variable('HERALD_BASE_URL', 'https://api.service.example'),
      why: 'the address of the service; the key goes only there',
    }),
    ...only(
      provider === 'gitlab',
      {
        do: set.secret('HERALD_GITLAB_TOKEN'),
        why: 'a project access token with the scopes api and write_repository',
      },
      {
        do: `glab schedule create --cron "17 6 * * *" --ref ${facts.branch} --description "Herald drift"`,
        why: 'drift every day',
      },
    ),
    ...only(state === '.herald', ...stateSteps(facts)),
    { do: `git add ${path} herald.yaml package.json package-lock.json`, why: 'then commit and push' },
  ];
}

/** No other job than the apply has the key that writes. */
function keySteps(provider: ProviderName): readonly NextStep[] {
  const why = 'the key that applies, for the apply job only';
  if (provider === 'gitlab') return [{ do: 'glab variable set HERALD_API_KEY --masked --protected', why }];
  if (provider === 'generic') return [{ do: SET.generic.secret('HERALD_API_KEY'), why }];
  return [
    {
      do: 'gh api --method PUT repos/{owner}/{repo}/environments/herald -F "deployment_branch_policy[protected_branches]=true" -F "deployment_branch_policy[custom_branch_policies]=false"',
      why: 'the environment of the apply job, for protected branches only; protect the branch as well',
    },
    { do: 'gh secret set HERALD_API_KEY --env herald', why },
  ];
}

/** What a job leaves on its disk is gone with the job, so the state has to be elsewhere. */
function stateSteps({ hasOwnState }: InitFacts): readonly NextStep[] {
  const setting = {
    do: 'Add to herald.yaml: state: { git_branch: herald-state }',
    why: 'each job begins without files of the last one; a team may use a database in its place',
  };
  if (!hasOwnState) return [setting];
  return [
    { do: formatCommand('state', 'export', 'state.ndjson'), why: 'what was applied from this machine' },
    setting,
    { do: formatCommand('state', 'import', 'state.ndjson'), why: 'brings it to the new place' },
  ];
}
