import type { CiSettings } from './settings.ts';

/** Where the script of a workspace is: in its folder. */
export function genericScriptPath(folder: string): string {
  return `${folder === '' ? '' : `${folder}/`}herald-ci.sh`;
}

export const GENERIC_FIRST_LINE = '#!/usr/bin/env bash';

/** A script with the three jobs, for any other CI. Its arguments are the name of the job, and flags for the command. */
export function genericScript({ branch, database, origin }: CiSettings): string {
  return `# "herald ci init" writes these lines again. Put lines of your own above the first mark or below the last one.
#
#   bash herald-ci.sh plan     for each proposed change: keep the folder herald-out, and let a person read the plan
#   bash herald-ci.sh apply --plan herald-out/herald-plan.json     after the merge, one at a time
#   bash herald-ci.sh drift    every day
${database === null ? '#\n# The state is on a branch of the repository: git has to read it in each job, and to push it in the job of the apply.\n' : ''}set -euo pipefail
cd "$(dirname "$0")"
${origin === null ? '' : `# The only service that may get the key, whatever a change writes into herald.yaml.\nexport HERALD_ALLOWED_ORIGINS=${origin}\n`}
job="\${1:-}"
[ "$#" = 0 ] || shift
case "$job" in
  plan)
    npm ci --ignore-scripts
    npx --no-install herald-campaigns ci plan --provider generic --out-dir herald-out "$@"
    ;;
  apply)
    npm ci --ignore-scripts
    npx --no-install herald-campaigns ci apply --provider generic --branch ${branch} "$@"
    ;;
  drift)
    npm ci --ignore-scripts
    npx --no-install herald-campaigns ci drift --provider generic "$@"
    ;;
  *)
    echo "Usage: bash herald-ci.sh plan|apply|drift" >&2
    exit 64
    ;;
esac
`;
}
