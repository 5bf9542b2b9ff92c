import { planArtifact } from '../workspace-digest.ts';
import { indented, suffixOf, type CiSettings } from './settings.ts';

/** Where the workflow of a workspace is. */
export function gitHubWorkflowPath(folder: string): string {
  return `.github/workflows/herald${suffixOf(folder)}.yml`;
}

/** Each action by the commit of a release. A tag could be moved to other code. */
const ACTIONS = {
  checkout: 'actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2',
  node: 'actions/setup-node@53b83947a5a98c8d113130e565377fae1a50d02f # v6.3.0',
  upload: 'actions/upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f # v6.0.0',
} as const;

/** An expression of the workflow. */
function value(expression: string): string {
  return `\${{ ${expression} }}`;
}

/** The workflow for GitHub Actions: a plan on a pull request, an apply after the merge, and drift every day. */
export function gitHubWorkflow(settings: CiSettings): string {
  const { folder, branch } = settings;
  const name = folder === '' ? 'Herald' : `Herald ${folder}`;
  return `# "herald ci init" writes these lines again. Put lines of your own above the first mark or below the last one.
# The hash behind each @ is the commit of the release in the comment. Keep it when you update: a tag can be moved.
name: ${name}
on:
  pull_request: {}
  merge_group: {}
  push:
    branches: [${branch}]
  schedule:
    - cron: '17 6 * * *'
permissions: {}
defaults:
  run:
    shell: bash
${folder === '' ? '' : `    working-directory: ${folder}\n`}env:
${indented(serviceVariables(settings), 2)}
jobs:
${planJob(settings)}
${applyJob(settings)}
${driftJob(settings)}`;
}

function planJob(settings: CiSettings): string {
  const { folder } = settings;
  return `  plan:
    if: github.event_name == 'pull_request' || github.event_name == 'merge_group'
    runs-on: ubuntu-latest
    timeout-minutes: 20
    # A newer commit makes the plan of an older one pointless. A plan changes nothing.
    concurrency:
      group: herald-plan${suffixOf(folder)}-${value('github.ref')}
      cancel-in-progress: true
    permissions:
      contents: read
      pull-requests: write
      statuses: write
    steps:
${prepare(settings)}
      - name: Plan
        env:
          GITHUB_TOKEN: ${value('secrets.HERALD_GITHUB_TOKEN || github.token')}
          # A key that can only read, if there is one. A fork has neither, and Herald plans without the service.
          HERALD_API_KEY: ${value('secrets.HERALD_VIEW_KEY || secrets.HERALD_API_KEY')}
${stateVariable(settings)}        run: npx --no-install herald-campaigns ci plan --out-dir herald-out
      - name: Keep the plan
        if: always()
        uses: ${ACTIONS.upload}
        with:
          name: ${planArtifact(folder)}
          path: ${folder === '' ? '' : `${folder}/`}herald-out
          if-no-files-found: ignore
          overwrite: true
`;
}

function applyJob(settings: CiSettings): string {
  const { folder, branch, database } = settings;
  return `  apply:
    if: github.event_name == 'push'
    runs-on: ubuntu-latest
    timeout-minutes: 60
    # Merges wait for each other here, and none of them is cancelled.
    concurrency:
      group: herald-apply${suffixOf(folder)}
      cancel-in-progress: false
      queue: max
    # Secrets of this environment are for this job only. Protect it to keep the key from other branches.
    environment: herald
    permissions:
      actions: read
      contents: ${database === null ? 'write # for the branch of the state' : 'read'}
      pull-requests: write
      statuses: write
    steps:
${prepare(settings)}
      - name: Apply
        env:
          GITHUB_TOKEN: ${value('secrets.HERALD_GITHUB_TOKEN || github.token')}
          HERALD_API_KEY: ${value('secrets.HERALD_API_KEY')}
${stateVariable(settings)}        run: npx --no-install herald-campaigns ci apply --branch ${branch}
`;
}

function driftJob(settings: CiSettings): string {
  return `  drift:
    if: github.event_name == 'schedule'
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions:
      contents: read
      issues: write
    steps:
${prepare(settings)}
      - name: Drift
        env:
          GITHUB_TOKEN: ${value('secrets.HERALD_GITHUB_TOKEN || github.token')}
          HERALD_API_KEY: ${value('secrets.HERALD_VIEW_KEY || secrets.HERALD_API_KEY')}
${stateVariable(settings)}        run: npx --no-install herald-campaigns ci drift
`;
}

/** The service that may get the key. A pull request could name another one in herald.yaml. */
function serviceVariables({ origin }: CiSettings): string {
  return origin === null
    ? `# The address of the service. It counts instead of the one in herald.yaml.\nHERALD_BASE_URL: ${value('vars.HERALD_BASE_URL')}`
    : `# The only service that may get the key, whatever a pull request writes into herald.yaml.\nHERALD_ALLOWED_ORIGINS: ${origin}`;
}

function stateVariable({ database }: CiSettings): string {
  return database === null ? '' : `          ${database}: ${value(`secrets.${database}`)}\n`;
}

/** Checks out all commits, because plans compare with the base and applies with the reviewed commit. */
function prepare({ hasLfs }: CiSettings): string {
  return `      - uses: ${ACTIONS.checkout}
        with:
          fetch-depth: 0${hasLfs ? '\n          lfs: true' : ''}
      - uses: ${ACTIONS.node}
        with:
          node-version: 20
      - name: Install Herald at the version of the lock file
        run: npm ci --ignore-scripts`;
}
