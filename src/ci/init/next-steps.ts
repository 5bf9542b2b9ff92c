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

/** The steps in the order in which to take them. */
export function nextSteps(facts: InitFacts): readonly NextStep[] {
  const { provider, path, version, isInstalled, needsAddress, isSimulated, state } = facts;
  const steps: NextStep[] = [];
  if (!isInstalled)
    steps.push({
      do: `npm install --save-dev --save-exact herald-campaigns@${version}`,
      why: `CI installs the version of the lock file; until it is published, commit and install herald-campaigns-${version}.tgz, which npm pack makes`,
    });
  if (isSimulated)
    steps.push({
      do: 'Replace simulator: by base_url: in herald.yaml.',
      why: 'the jobs refuse the embedded simulator, which sends nothing to anyone',
    });
  steps.push(...keySteps(provider));
  if (state.kind === 'postgres')
    steps.push(secret(provider, state.variable, 'the address of the state database'));
  if (needsAddress) steps.push(addressStep(provider));
  if (provider === 'gitlab')
    steps.push(
      secret(
        provider,
        'HERALD_GITLAB_TOKEN',
        'a project access token with the scopes api and write_repository',
      ),
      {
        do: `glab schedule create --cron "17 6 * * *" --ref ${facts.branch} --description "Herald drift"`,
        why: 'drift every day',
      },
    );
  if (state.kind === 'files') steps.push(...stateSteps(facts));
  steps.push({
    do: `git add ${path} herald.yaml package.json package-lock.json`,
    why: 'then commit and push',
  });
  return steps;
}

/** Plans and drift have a key that only reads, and no other job than the apply has the key that writes. */
function keySteps(provider: ProviderName): readonly NextStep[] {
  const view = secret(
    provider,
    'HERALD_VIEW_KEY',
    'a key with view permissions only, for plans and drift; without it, plans compare the files only',
  );
  const why = 'the key that applies, for the apply job only';
  if (provider === 'github')
    return [
      view,
      {
        do: 'gh api --method PUT repos/{owner}/{repo}/environments/herald -F "deployment_branch_policy[protected_branches]=true" -F "deployment_branch_policy[custom_branch_policies]=false"',
        why: 'the environment of the apply job, for protected branches only; protect the branch as well',
      },
      { do: 'gh secret set HERALD_API_KEY --env herald', why },
    ];
  if (provider === 'gitlab')
    return [view, { do: 'glab variable set HERALD_API_KEY --masked --protected', why }];
  return [view, secret(provider, 'HERALD_API_KEY', why)];
}

/** The branch that `ci init` proposes. */
const STATE_BRANCH = 'herald-state';

/** What a job leaves on its disk is gone with the job, so the state has to be elsewhere. */
function stateSteps({ hasOwnState }: InitFacts): readonly NextStep[] {
  const setting = {
    do: `Add to herald.yaml: state: { git_branch: ${STATE_BRANCH} }`,
    why: 'each job begins without files of the last one; a team may use a database in its place',
  };
  if (!hasOwnState) return [setting];
  return [
    { do: formatCommand('state', 'export', 'state.ndjson'), why: 'what was applied from this machine' },
    setting,
    { do: formatCommand('state', 'import', 'state.ndjson'), why: 'brings it to the new place' },
  ];
}

function secret(provider: ProviderName, name: string, why: string): NextStep {
  if (provider === 'github') return { do: `gh secret set ${name}`, why };
  if (provider === 'gitlab') return { do: `glab variable set ${name} --masked`, why };
  return { do: `Set the secret ${name} in your CI.`, why };
}

function addressStep(provider: ProviderName): NextStep {
  const why = 'the address of the service; the key goes only there';
  const example = 'https://api.service.example';
  if (provider === 'github') return { do: `gh variable set HERALD_BASE_URL --body ${example}`, why };
  if (provider === 'gitlab') return { do: `glab variable set HERALD_BASE_URL ${example}`, why };
  return { do: `Set the variable HERALD_BASE_URL=${example} in your CI.`, why };
}
