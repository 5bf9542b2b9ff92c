import { checkShape } from './shape-issues.ts';
import { workspaceFileShape } from './schema.ts';
import { readYaml } from './yaml-source.ts';

/** Where `state:` of `herald.yaml` keeps the state and the lease. */
export type StateSettings =
  | { readonly kind: 'files' }
  | {
      readonly kind: 'postgres';
      /** The variable of the environment that has the address. */
      readonly variable: string;
      readonly workspace: string;
      readonly leaseSec: number;
      readonly retrySec: number;
    }
  | { readonly kind: 'branch'; readonly remote: string; readonly branch: string }
  /** The file has errors there, so the place of the state is unknown. */
  | { readonly kind: 'unknown' };

/** Seconds after which a run that does not renew its lease has lost it. */
const LEASE_SEC = 60;
/** Seconds for which a transaction is repeated while the database cannot be reached. */
const RETRY_SEC = 120;
const REMOTE = 'origin';

const IN_FILES: StateSettings = { kind: 'files' };

/** Every key that can be read as `state` contains the word, or an escape. Other files need no parser. */
const MAY_NAME_STATE = /state|\\/i;

/** Reads `state:` alone, because the state must be found even where other parts of the file have errors. */
export function readState(text: string): StateSettings {
  if (!MAY_NAME_STATE.test(text)) return IN_FILES;
  const { source, diagnostics } = readYaml('herald.yaml', text);
  // A key that is written twice, for example, leaves open which of them counts.
  if (source === null || diagnostics.length > 0) return { kind: 'unknown' };
  const { value, removed, findings } = checkShape(workspaceFileShape, source.value, { version: 1 });
  if (value === null || removed.some(([section]) => section === 'state')) return { kind: 'unknown' };
  const { state } = value;
  // A key that is not known may have been meant as `state`.
  const isGuess = findings.some(({ code, path }) => code === 'unknown-key' && path.length === 1);
  if (state === undefined && isGuess) return { kind: 'unknown' };
  if (state === undefined || typeof state === 'string') return IN_FILES;
  if ('git_branch' in state)
    return { kind: 'branch', remote: state.remote ?? REMOTE, branch: state.git_branch };
  return {
    kind: 'postgres',
    variable: state.postgres.slice(2, -1),
    workspace: state.workspace,
    leaseSec: state.lease_sec ?? LEASE_SEC,
    retrySec: state.retry_sec ?? RETRY_SEC,
  };
}
