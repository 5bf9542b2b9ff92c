import { planArtifact } from '../workspace-digest.ts';
import { indented, suffixOf, type CiSettings } from './settings.ts';

/** All workspaces of a repository share this file, each between its own marks. */
export const GITLAB_PIPELINE_PATH = '.gitlab-ci.yml';

/** The jobs for GitLab CI: a plan on a merge request, an apply after the merge, and drift on a schedule. */
export function gitLabPipeline(settings: CiSettings): string {
  const { folder, database, origin } = settings;
  const suffix = suffixOf(folder);
  return `# "herald ci init" writes these lines again. Put jobs of your own above the first mark or below the last one.
.herald${suffix}:
  image: node:20
  timeout: 60 minutes
  interruptible: false
  variables:
    # Plans compare with the base, and applies with the reviewed commit.
    GIT_DEPTH: '0'
${origin === null ? '' : `    # The only service that may get the key, whatever a merge request writes into herald.yaml.\n    HERALD_ALLOWED_ORIGINS: ${origin}\n`}  before_script:
${folder === '' ? '' : `    - cd ${folder}\n`}    - npm ci --ignore-scripts
${database === null ? step(GIT_LOGIN) : ''}
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

/**
 * GitLab's own token of a job cannot push by default. The header keeps the other token out of arguments and addresses, and the
 * file of its own keeps it out of the checkout.
 */
const GIT_LOGIN = `if [ -n "\${HERALD_GITLAB_TOKEN:-}" ]; then
  export GIT_CONFIG_GLOBAL="$(mktemp)"
  login="$(printf 'oauth2:%s' "$HERALD_GITLAB_TOKEN" | base64 -w 0)"
  printf '[http "%s/"]\\nextraheader = "Authorization: Basic %s"\\n' "$CI_SERVER_URL" "$login" > "$GIT_CONFIG_GLOBAL"
  git remote set-url origin "$CI_PROJECT_URL.git"
fi
`;

function step(text: string): string {
  return `    - |\n${indented(text, 6)}`;
}
