# "herald ci init" writes these lines again. Put lines of your own above the first mark or below the last one.
#
#   bash herald-ci.sh plan     for each proposed change: keep the folder herald-out, and let a person read the plan
#   bash herald-ci.sh apply --plan herald-out/herald-plan.json     after the merge, one at a time
#   bash herald-ci.sh drift    every day
#
# A state on a branch of the repository: git has to read it in each job, and to push it in the job of the apply.
set -euo pipefail
cd "$(dirname "$0")"
%service%
# Plans and drift get a key that can only read, and no address of a state that they may write.
read_only() {
  export HERALD_API_KEY="${HERALD_VIEW_KEY:-}"
  export %database%="${HERALD_STATE_VIEW_URL:-}"
}
job="${1:-}"
[ "$#" = 0 ] || shift
case "$job" in
  # Only what Herald writes there is kept, and nothing that was committed.
  plan) rm -rf herald-out && read_only && set -- plan "$@" ;;
  apply) set -- apply --branch %branch% "$@" ;;
  drift) read_only && set -- drift "$@" ;;
  *)
    echo "Usage: bash herald-ci.sh plan|apply|drift" >&2
    exit 64
    ;;
esac
npm ci --ignore-scripts
npx --no-install herald-campaigns ci "$1" --provider generic "${@:2}"
