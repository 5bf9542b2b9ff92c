import { FETCH_LEDGER, KEEP_LEDGER } from './ledger-branch.ts';
import { indented, type CiSettings } from './settings.ts';

/** Where the script of a workspace is: in its folder. */
export function genericScriptPath(folder: string): string {
  return `${folder === '' ? '' : `${folder}/`}herald-ci.sh`;
}

export const GENERIC_FIRST_LINE = '#!/usr/bin/env bash';

/** A script with the three jobs, for any other CI. Its arguments are the name of the job, and flags for the command. */
export function genericScript({ branch, database, origin }: CiSettings): string {
  const ledger = database === null;
  return `# "herald ci init" writes these lines again. Put lines of your own above the first mark or below the last one.
#
#   bash herald-ci.sh plan     for each proposed change: keep the folder herald-out, and let a person read the plan
#   bash herald-ci.sh apply --plan herald-out/herald-plan.json     after the merge, one at a time
#   bash herald-ci.sh drift    every day
set -euo pipefail
cd "$(dirname "$0")"
${origin === null ? '' : `# The only service that may get the key, whatever a change writes into herald.yaml.\nexport HERALD_ALLOWED_ORIGINS=${origin}\n`}
get_ledger() {
${ledger ? indented(FETCH_LEDGER, 2) : '  :\n'}}

keep_ledger() {
${ledger ? indented(KEEP_LEDGER, 2) : '  :\n'}}

job="\${1:-}"
[ "$#" = 0 ] || shift
case "$job" in
  plan)
    npm ci --ignore-scripts
    get_ledger
    npx --no-install herald-campaigns ci plan --provider generic --out-dir herald-out "$@"
    ;;
  apply)
    npm ci --ignore-scripts
    get_ledger
    ended=0
    npx --no-install herald-campaigns ci apply --provider generic --branch ${branch} "$@" || ended=$?
    keep_ledger
    exit "$ended"
    ;;
  drift)
    npm ci --ignore-scripts
    get_ledger
    npx --no-install herald-campaigns ci drift --provider generic "$@"
    ;;
  *)
    echo "Usage: bash herald-ci.sh plan|apply|drift" >&2
    exit 64
    ;;
esac
`;
}
