/**
 * The steps of the shell that keep the ledger on a branch of its own between jobs. They run in the folder of the
 * workspace. Each is a subshell, so that its settings end with it. `HERALD_REMOTE` names another remote than `origin`.
 */

/** The branch that has the ledger, and nothing else. */
export const LEDGER_BRANCH = 'herald-state';

/** How many times a job tries to push while other jobs push. */
const TRIES = 10;

/** Sets `found`: 0 if the branch exists, 2 if it does not. Every other code means that git could not tell. */
const LOOK = `found=0
  git ls-remote --exit-code "$remote" "$branch" > /dev/null || found=$?`;

const BEGIN = `set -euo pipefail
  remote="\${HERALD_REMOTE:-origin}"
  branch=refs/heads/${LEDGER_BRANCH}
  file=.herald/ledger.ndjson
  path="$(git rev-parse --show-prefix)$file"
  if [ -L .herald ] || [ -L "$file" ]; then
    echo "$file is a link, or is behind one. Remove the link from the repository." >&2
    exit 1
  fi`;

/** Gets the ledger. Fails if git cannot tell whether there is one: nothing may run without it. */
export const FETCH_LEDGER = `(
  ${BEGIN}
  ${LOOK}
  if [ "$found" = 2 ]; then
    echo "The branch ${LEDGER_BRANCH} does not exist yet. The first apply creates it."
    exit 0
  fi
  [ "$found" = 0 ]
  git fetch --no-tags "$remote" "$branch"
  if git cat-file -e "FETCH_HEAD:$path" 2> /dev/null; then
    if git ls-files --error-unmatch "$file" > /dev/null 2>&1; then
      echo "Warning: $file is committed here. The one on the branch ${LEDGER_BRANCH} counts."
    fi
    mkdir -p .herald
    git show "FETCH_HEAD:$path" > "$file"
  fi
)
`;

/**
 * Puts the ledger onto the branch. If another job pushed meanwhile, its lines are added first. It never forces a push:
 * that would remove what the other job did from the record.
 */
export const KEEP_LEDGER = `(
  ${BEGIN}
  if [ ! -f "$file" ]; then
    echo "This job wrote no ledger."
    exit 0
  fi
  temporary="$(mktemp -d)"
  trap 'rm -rf "$temporary"' EXIT
  export GIT_INDEX_FILE="$temporary/index"
  export GIT_AUTHOR_NAME=Herald GIT_AUTHOR_EMAIL=herald@localhost
  export GIT_COMMITTER_NAME=Herald GIT_COMMITTER_EMAIL=herald@localhost
  for try in $(seq 1 ${TRIES}); do
    ${LOOK.replaceAll('\n', '\n  ')}
    parent=()
    base=--empty
    if [ "$found" = 0 ] && git fetch --no-tags "$remote" "$branch"; then
      base="$(git rev-parse FETCH_HEAD)"
      parent=(-p "$base")
      if git cat-file -e "$base:$path" 2> /dev/null; then
        git show "$base:$path" > "$temporary/theirs.ndjson"
        if ! cmp -s "$temporary/theirs.ndjson" "$file"; then
          npx --no-install herald-campaigns state push "$temporary/theirs.ndjson" --lock-timeout 2m
        fi
      fi
    elif [ "$found" != 2 ]; then
      echo "Cannot read the branch ${LEDGER_BRANCH} (try $try of ${TRIES})."
      sleep "$try"
      continue
    fi
    git read-tree "$base"
    blob="$(git hash-object -w --no-filters "$file")"
    git update-index --add --cacheinfo "100644,$blob,$path"
    tree="$(git write-tree)"
    if [ "$base" != --empty ] && [ "$tree" = "$(git rev-parse "$base^{tree}")" ]; then
      echo "The ledger has no new lines."
      exit 0
    fi
    commit="$(git commit-tree "$tree" \${parent[@]+"\${parent[@]}"} -m 'Keep the ledger')"
    if git push "$remote" "$commit:$branch"; then
      exit 0
    fi
    echo "Another job pushed the ledger (try $try of ${TRIES})."
    sleep $((RANDOM % 3 + 1))
  done
  echo "The ledger could not be pushed to ${LEDGER_BRANCH}." >&2
  exit 1
)
`;
