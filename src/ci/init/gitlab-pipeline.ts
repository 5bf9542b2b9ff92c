import { planArtifact } from '../workspace-digest.ts';
import { FETCH_LEDGER, KEEP_LEDGER } from './ledger-branch.ts';
import { indented, suffixOf, type CiSettings } from './settings.ts';

/** All workspaces of a repository share this file, each between its own marks. */
export const GITLAB_PIPELINE_PATH = '.gitlab-ci.yml';

/** The jobs for GitLab CI: a plan on a merge request, an apply after the merge, and drift on a schedule. */
export function gitLabPipeline(settings: CiSettings): string {
  const { folder, database, origin } = settings;
  const suffix = suffixOf(folder);
  const below = folder === '' ? '' : `${folder}/`;
  return `# "herald ci init" writes these lines again. Put jobs of your own above the first mark or below the last one.
.herald${suffix}:
  image: node:20
  timeout: 60 minutes
  interruptible: false
  variables:
    # Plans compare with the base, and applies with the reviewed commit.
    GIT_DEPTH: '0'
    # The script ends before the job, so that there is time to keep the ledger.
    RUNNER_SCRIPT_TIMEOUT: 45m
    RUNNER_AFTER_SCRIPT_TIMEOUT: 10m
${origin === null ? '' : `    # The only service that may get the key, whatever a merge request writes into herald.yaml.\n    HERALD_ALLOWED_ORIGINS: ${origin}\n`}  before_script:
${folder === '' ? '' : `    - cd ${folder}\n`}    - npm ci --ignore-scripts
${database === null ? step(`${GIT_LOGIN}${FETCH_LEDGER}`) : ''}
herald-plan${suffix}:
  extends: .herald${suffix}
  stage: test
  # A newer commit makes the plan of an older one pointless. A plan changes nothing.
  interruptible: true
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  script:
    - ${VIEW_KEY} npx --no-install herald-campaigns ci plan --out-dir "$CI_PROJECT_DIR/${planArtifact(folder)}"
  artifacts:
    when: always
    expire_in: 90 days
    paths:
      - ${planArtifact(folder)}/
    reports:
      codequality: ${planArtifact(folder)}/gl-code-quality-report.json

herald-apply${suffix}:
  extends: .herald${suffix}
  stage: deploy
  # Merges wait for each other here, and none of them is cancelled.
  resource_group: herald-apply${suffix}
  rules:
    - if: $CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
    - npx --no-install herald-campaigns ci apply
${database === null ? keepLedger(folder) : ''}  artifacts:
    when: always
    expire_in: 90 days
    paths:
      # ${database === null ? 'In case the push fails.' : 'What the database did not take.'}
      - ${below}.herald/${database === null ? 'ledger.ndjson' : 'rescue-*.ndjson'}

herald-drift${suffix}:
  extends: .herald${suffix}
  stage: test
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
  script:
    - ${VIEW_KEY} npx --no-install herald-campaigns ci drift
`;
}

/** A key that can only read, if there is one. */
const VIEW_KEY = 'HERALD_API_KEY="${HERALD_VIEW_KEY:-${HERALD_API_KEY:-}}"';

/** GitLab's own token of a job cannot push by default. The header keeps the token out of arguments and addresses. */
const GIT_LOGIN = `export HERALD_REMOTE="\${HERALD_REMOTE:-$CI_PROJECT_URL.git}"
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.$CI_SERVER_URL/.extraheader"
export GIT_CONFIG_VALUE_0="Authorization: Basic $(printf 'oauth2:%s' "$HERALD_GITLAB_TOKEN" | base64 -w 0)"
`;

/** Runs also after a failed apply. It is a shell of its own. */
function keepLedger(folder: string): string {
  return `  after_script:
${folder === '' ? '' : `    - cd ${folder}\n`}${step(`${GIT_LOGIN}${KEEP_LEDGER}`)}`;
}

function step(text: string): string {
  return `    - |\n${indented(text, 6)}`;
}
